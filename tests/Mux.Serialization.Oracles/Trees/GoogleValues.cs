using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace Mux.Serialization.Oracles.Trees;

/// <summary>Makes values for fields of Google's messages of what a tree says.</summary>
internal static class GoogleValues
{
    public static object Of(FieldDescriptor field, object tree) => tree switch
    {
        FieldTree fields => OfMessage(field.MessageType, fields),
        Blob blob => ByteString.CopyFrom(blob.ToArray()),
        Int128 number => OfNumber(field.FieldType, number),
        _ => tree,
    };

    private static IMessage OfMessage(MessageDescriptor descriptor, FieldTree tree)
    {
        var message = (IMessage)Activator.CreateInstance(descriptor.ClrType)!;
        foreach (var (number, value) in tree.Fields)
        {
            var field = descriptor.FindFieldByNumber(number);
            field.Accessor.SetValue(message, Of(field, value));
        }

        return message;
    }

    private static object OfNumber(FieldType type, Int128 number) => type switch
    {
        FieldType.Int32 or FieldType.SInt32 or FieldType.SFixed32 => (int)number,
        FieldType.UInt32 or FieldType.Fixed32 => (uint)number,
        FieldType.UInt64 or FieldType.Fixed64 => (ulong)number,
        _ => (long)number,
    };
}
