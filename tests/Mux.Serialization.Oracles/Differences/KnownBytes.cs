using System.Collections;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Mux.Serialization.Oracles.Trees;
using Mux.Serialization.Oracles.Values;

namespace Mux.Serialization.Oracles.Differences;

/// <summary>Says of the bytes of a date, a Guid or the like whether we would write the value so.</summary>
internal static class KnownBytes
{
    /// <param name="field">Which holds such values, one or several.</param>
    /// <param name="value">What stands behind the tag: the length included, or the tag that ends the group.</param>
    public static bool IsOurs(FieldDescriptor field, ReadOnlySpan<byte> value)
    {
        // A message that holds this field alone says what Google's library makes of it.
        byte[] alone = [.. TagOf(field), .. value];
        IMessage message;
        try
        {
            message = field.ContainingType.Parser.WithDiscardUnknownFields(true).ParseFrom(alone);
        }
        catch (InvalidProtocolBufferException)
        {
            return false;
        }

        var said = field.Accessor.GetValue(message);
        if (said is IList { Count: var count } items)
        {
            if (count != 1) return false;
            said = items[0]!;
        }

        return message.ToByteArray().AsSpan().SequenceEqual(alone) && KnownForms.IsOurs(FieldHints.Of(field).Known, GoogleTree.Convert(field, said));
    }

    private static byte[] TagOf(FieldDescriptor field)
    {
        var tag = new byte[CodedOutputStream.ComputeTagSize(field.FieldNumber)];
        using var stream = new CodedOutputStream(tag);
        stream.WriteTag(field.FieldNumber, (WireFormat.WireType)Wire.FieldForms.WireTypeOf(field));
        return tag;
    }
}
