using System.Collections.Concurrent;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Mux.Serialization.Oracles.Protos;

namespace Mux.Serialization.Oracles.Values;

/// <summary>What the .proto files say of our members beside the fields.</summary>
/// <param name="IsAlways">Whether our member is written in every message.</param>
/// <param name="IsOmitted">Whether our member is left out when it is zero, although the field has presence.</param>
/// <param name="IsGroup">Whether the message stands between two tags; <see cref="FieldDescriptor.FieldType"/> does not tell.</param>
/// <param name="Range">What our member can hold.</param>
/// <param name="Form">How its values are written if they are no numbers, texts or messages to .NET; else null.</param>
/// <param name="Known">Which of these values they are.</param>
/// <param name="Order">In which order the member enumerates its items.</param>
/// <param name="Wrapper">Whether the message is one of the attributes for null.</param>
/// <param name="IsZeroKeyWritten">Of a map, whether ours writes a key of zero.</param>
/// <param name="Default">The declared default value, which our member does not write either; null if there is none.</param>
internal sealed record FieldHints(bool IsAlways, bool IsOmitted, bool IsGroup, Protos.Range Range, KnownForm? Form, Known Known, Order Order, Wrapper Wrapper, bool IsZeroKeyWritten, object? Default)
{
    private static readonly ConcurrentDictionary<FieldDescriptor, FieldHints> s_hints = [];

    public static FieldHints Of(FieldDescriptor field) => s_hints.GetOrAdd(field, static field =>
    {
        var options = field.GetOptions() ?? new FieldOptions();
        var declared = field.ToProto();
        var known = options.GetExtension(HintsExtensions.Known);
        return new FieldHints(
            options.GetExtension(HintsExtensions.Always),
            options.GetExtension(HintsExtensions.Omitted),
            declared.Type == FieldDescriptorProto.Types.Type.Group,
            options.GetExtension(HintsExtensions.Range),
            known == Known.Plain ? null : KnownForms.Of(known),
            known,
            options.GetExtension(HintsExtensions.Order),
            options.GetExtension(HintsExtensions.Wrapper),
            options.GetExtension(HintsExtensions.ZeroWritten),
            declared.HasDefaultValue ? field.Accessor.GetValue((IMessage)Activator.CreateInstance(field.ContainingType.ClrType)!) : null);
    });
}
