using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Models;

namespace Mux.Generators.Reading;

/// <summary>Finds out how values of a C# type travel.</summary>
/// <param name="compilation">Says what generated code may reach.</param>
/// <param name="findings">Receives what cannot be sent.</param>
/// <param name="reached">Called for every message type that is met.</param>
internal sealed class ValueReader(Compilation compilation, Findings findings, Action<INamedTypeSymbol> reached)
{
    /// <summary>What a value of this type travels as; null if it cannot, which is then in the findings.</summary>
    public MemberValue? Read(ISymbol owner, ITypeSymbol type, DataFormat format)
    {
        var typeName = type.ToBareCode();
        if (type is IArrayTypeSymbol { IsSZArray: true, ElementType.SpecialType: not SpecialType.System_Byte } array)
            return ReadItem(owner, type, array.ElementType, format) is { } item ? new MemberValue(typeName, item, Container.Array) : null;

        if (type is INamedTypeSymbol { TypeArguments.Length: 1 } generic)
        {
            if (generic.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T)
                return ReadSingle(owner, generic.TypeArguments[0], format) is { } value ? new MemberValue(typeName, value, Container.Nullable) : null;
            if (generic.ToFullName() == WellKnownNames.List)
                return ReadItem(owner, type, generic.TypeArguments[0], format) is { } listed ? new MemberValue(typeName, listed, Container.List) : null;
        }

        return ReadSingle(owner, type, format) is { } single ? new MemberValue(typeName, single, Container.Single) : null;
    }

    private static ScalarType? ScalarOf(ITypeSymbol type) => type.SpecialType switch
    {
        SpecialType.System_Boolean => ScalarType.Boolean,
        SpecialType.System_Char => ScalarType.Char,
        SpecialType.System_SByte => ScalarType.SByte,
        SpecialType.System_Byte => ScalarType.Byte,
        SpecialType.System_Int16 => ScalarType.Int16,
        SpecialType.System_UInt16 => ScalarType.UInt16,
        SpecialType.System_Int32 => ScalarType.Int32,
        SpecialType.System_UInt32 => ScalarType.UInt32,
        SpecialType.System_Int64 => ScalarType.Int64,
        SpecialType.System_UInt64 => ScalarType.UInt64,
        SpecialType.System_IntPtr => ScalarType.IntPtr,
        SpecialType.System_UIntPtr => ScalarType.UIntPtr,
        SpecialType.System_Single => ScalarType.Single,
        SpecialType.System_Double => ScalarType.Double,
        _ => null,
    };

    private ValueModel? ReadItem(ISymbol owner, ITypeSymbol list, ITypeSymbol item, DataFormat format)
    {
        if (UnsupportedTypes.ReasonForItem(item) is not { } reason) return ReadSingle(owner, item, format);
        findings.Report(MuxDiagnostics.UnsupportedType, owner, owner.ToDisplay(), list.ToDisplay(), reason);
        return null;
    }

    private ValueModel? ReadSingle(ISymbol owner, ITypeSymbol type, DataFormat format)
    {
        var typeName = type.ToBareCode();
        if (type.SpecialType == SpecialType.System_String) return new TextModel(typeName);
        if (type is IArrayTypeSymbol { IsSZArray: true, ElementType.SpecialType: SpecialType.System_Byte }) return new BytesModel(typeName);
        if (ScalarOf(type) is { } scalar) return ReadNumber(owner, type, scalar, format);
        if (type is INamedTypeSymbol { EnumUnderlyingType: { } underlying }) return ReadEnum(owner, type, underlying);
        return ReadMessage(owner, type, format);
    }

    private ScalarModel? ReadNumber(ISymbol owner, ITypeSymbol type, ScalarType scalar, DataFormat format)
    {
        bool ignoresFormat = scalar is ScalarType.Boolean or ScalarType.Char or ScalarType.Single or ScalarType.Double;
        bool isSigned = scalar is ScalarType.SByte or ScalarType.Int16 or ScalarType.Int32 or ScalarType.Int64 or ScalarType.IntPtr;
        ScalarFormat? written = format switch
        {
            _ when ignoresFormat => ScalarFormat.Varint,
            DataFormat.Default or DataFormat.TwosComplement or DataFormat.WellKnown => ScalarFormat.Varint,
            DataFormat.ZigZag when isSigned => ScalarFormat.ZigZag,
            DataFormat.FixedSize => ScalarFormat.Fixed,
            _ => null,
        };
        if (written is { } known) return new ScalarModel(type.ToBareCode(), scalar, known);
        findings.Report(MuxDiagnostics.Format, owner, owner.ToDisplay(), format.ToString(), type.ToDisplay());
        return null;
    }

    // An enum is a varint whatever the member says.
    private ScalarModel? ReadEnum(ISymbol owner, ITypeSymbol type, INamedTypeSymbol underlying)
    {
        if (compilation.IsReachable(type)) return new ScalarModel(type.ToBareCode(), ScalarOf(underlying)!.Value, ScalarFormat.Varint, underlying.ToIdentity());
        findings.Report(MuxDiagnostics.HiddenMessage, owner, owner.ToDisplay(), type.ToDisplay());
        return null;
    }

    private NestedModel? ReadMessage(ISymbol owner, ITypeSymbol type, DataFormat format)
    {
        bool isContract = type is INamedTypeSymbol candidate && MessageContract.Of(candidate) is not null;
        if (!isContract && UnsupportedTypes.ReasonFor(type) is { } reason)
        {
            findings.Report(MuxDiagnostics.UnsupportedType, owner, owner.ToDisplay(), type.ToDisplay(), reason);
            return null;
        }

        if (type is not INamedTypeSymbol named || MessageContract.Of(named) is not { } contract)
        {
            findings.Report(MuxDiagnostics.NoMessage, owner, owner.ToDisplay(), type.ToDisplay());
            return null;
        }

        if (!compilation.IsReachable(named))
        {
            findings.Report(MuxDiagnostics.HiddenMessage, owner, owner.ToDisplay(), type.ToDisplay());
            return null;
        }

        reached((INamedTypeSymbol)named.WithNullableAnnotation(NullableAnnotation.NotAnnotated));
        bool isGroup = format == DataFormat.Group || (format == DataFormat.Default && contract.IsGroup);
        return new NestedModel(named.ToBareCode(), named.ToIdentifier() + "Codec", named.ToDisplay(), named.IsValueType, isGroup);
    }
}
