using Microsoft.CodeAnalysis;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;
using Mux.Protobuf;

namespace Mux.Generators.Messages.Reading;

/// <summary>Framework types that are neither numbers nor strings, and their encoding in protobuf-net.</summary>
internal static class FrameworkTypes
{
    /// <summary>Reads the encoding of a value.</summary>
    /// <param name="type">Any type.</param>
    /// <param name="options">Options at the place of the value.</param>
    /// <param name="isFitting">True if the declared format exists for the type.</param>
    /// <returns>Null for any other type.</returns>
    public static ValueModel? Read(ITypeSymbol type, ValueOptions options, out bool isFitting)
    {
        isFitting = true;
        if (KindOf(type) is not { } kind) return null;
        var name = type.ToBareCode();
        switch (kind)
        {
            case "System.Guid":
                return ReadGuid(name, options);
            case "System.Decimal":
                return new FrameworkModel(name, options.EffectiveLevel < CompatibilityLevel.Level300 ? FrameworkForm.BclDecimal
                    : FrameworkForm.DecimalText, WireType.Bytes);
            case "System.DateTime":
                isFitting = TryReadTime(name, options, FrameworkForm.BclDateTime, FrameworkForm.Timestamp, out var date);
                return date;
            case "System.TimeSpan":
                isFitting = TryReadTime(name, options, FrameworkForm.BclTimeSpan, FrameworkForm.Duration, out var span);
                return span;
            case "System.DateOnly":
                return new FrameworkModel(name, FrameworkForm.DateOnly, WireType.Varint);
            case "System.TimeOnly":
                return new FrameworkModel(name, FrameworkForm.TimeOnly, WireType.Varint);
            case "System.Uri":
                return new UriModel(name);
            case "System.ArraySegment":
                return new BytesModel(name, BytesForm.Segment);
            case "System.Memory" or "System.ReadOnlyMemory":
                return new BytesModel(name, BytesForm.Memory);
            default:
                return null;
        }
    }

    // Only memory of bytes counts.
    private static string? KindOf(ITypeSymbol type) => type switch
    {
        INamedTypeSymbol { TypeArguments.Length: 0, ContainingNamespace: { Name: "System", ContainingNamespace.IsGlobalNamespace: true } } plain =>
            plain.ToFullName(),
        INamedTypeSymbol { TypeArguments.Length: 1 } generic when generic.TypeArguments[0].SpecialType == SpecialType.System_Byte => generic.ToFullName(),
        _ => null,
    };

    // Below level 300 a Guid is a message, which may be a group and has no other format; from level 300 on it is text or bytes.
    private static FrameworkModel ReadGuid(string name, ValueOptions options)
    {
        if (options.EffectiveLevel < CompatibilityLevel.Level300)
            return new FrameworkModel(name, FrameworkForm.BclGuid, options.Format == DataFormat.Group ? WireType.StartGroup : WireType.Bytes);
        return new FrameworkModel(name, options.Format == DataFormat.FixedSize ? FrameworkForm.GuidBytes : FrameworkForm.GuidText, WireType.Bytes);
    }

    private static bool TryReadTime(string name, ValueOptions options, FrameworkForm ticks, FrameworkForm wellKnown, out FrameworkModel model)
    {
        bool isTicks = options.EffectiveLevel < CompatibilityLevel.Level240;
        var wire = options.Format switch
        {
            DataFormat.Group => WireType.StartGroup,
            DataFormat.FixedSize => WireType.Fixed64,
            _ => WireType.Bytes,
        };
        model = new FrameworkModel(name, isTicks ? ticks : wellKnown, wire);
        return options.Format switch
        {
            DataFormat.Default or DataFormat.WellKnown or DataFormat.Group => true,
            DataFormat.FixedSize => isTicks && !options.IsItem,
            _ => false,
        };
    }
}
