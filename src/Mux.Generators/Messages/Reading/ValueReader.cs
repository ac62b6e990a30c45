using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Reading;
using Mux.Generators.Describing;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Determines how values of a C# type are sent.</summary>
/// <param name="compilation">Decides what generated code can reach.</param>
/// <param name="findings">Receives values that cannot be sent.</param>
/// <param name="reached">Called for every message type found, with the member, parameter or method that has it.</param>
/// <param name="sizes">Measures messages; null if their sizes are not needed.</param>
internal sealed class ValueReader(Compilation compilation, Findings findings, Action<MessageKey, ISymbol> reached, TypeSizes? sizes)
{
    private const string NestedStream = "a stream stands alone: declare it as a parameter or result of the method itself, next to the message it would be in";

    private readonly CompatibilityLevelReader _levels = new(findings);
    private readonly MentionedTypes _types = new();
    private readonly EnumReader _constants = new();
    private readonly MapNesting _maps = new(findings);
    private readonly HashSet<ITypeSymbol> _enums = new(SymbolEqualityComparer.Default);

    /// <summary>Reads how a value of this type is sent. Null if it cannot be; the reason is then in the findings.</summary>
    public MemberValue? Read(ISymbol owner, ITypeSymbol type, ValueOptions options)
    {
        return ReadUnwrapped(owner, type, options) is { } value ? new EnvelopeReader(findings, this).Wrap(owner, type, value, options) : null;
    }

    private MemberValue? ReadUnwrapped(ISymbol owner, ITypeSymbol type, ValueOptions options)
    {
        if (type is IArrayTypeSymbol { IsSZArray: true, ElementType.SpecialType: not SpecialType.System_Byte } array)
            return ReadItems(owner, type, array.ElementType, Container.Array, options);

        if (type is INamedTypeSymbol { TypeArguments.Length: 1 } generic)
        {
            if (generic.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T)
                return ReadSingle(owner, generic.TypeArguments[0], options) is { } value ? new MemberValue(type.ToBareCode(), value, Container.Nullable) : null;
            if (generic.ToFullName() == WellKnownNames.List)
                return ReadItems(owner, type, generic.TypeArguments[0], Container.List, options);
        }

        if (CollectionTypes.Of(type) is { } collection) return ReadCollection(owner, type, collection, options);
        if (ReadSingle(owner, type, options) is not { } single) return null;
        return new MemberValue(type.ToBareCode(), single, Container.Single) { Overwrites = options.Overwrites };
    }

    /// <summary>Gets the options for the surrogate of a type: the level of the type, and no level for a tuple.</summary>
    public ValueOptions SurrogateOptions(INamedTypeSymbol type) => new(DataFormat.Default, _levels.Of(type)) { TupleLevel = CompatibilityLevel.Level200 };

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

    private MemberValue? ReadItems(ISymbol owner, ITypeSymbol list, ITypeSymbol item, Container container, ValueOptions options)
    {
        if (UnsupportedTypes.ReasonForItem(item) is { } reason)
        {
            findings.Report(MuxDiagnostics.UnsupportedType, owner, owner.ToDisplay(), list.ToDisplay(), reason);
            return null;
        }

        bool isNullable = item.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T;
        if (ReadSingle(owner, isNullable ? ((INamedTypeSymbol)item).TypeArguments[0] : item, options with { IsItem = true }) is not { } value) return null;
        return new MemberValue(list.ToBareCode(), value, container)
        {
            IsItemNullable = isNullable,
            IsPacked = options.IsPacked && value is ScalarModel { CanBePacked: true },
            Overwrites = options.Overwrites,
        };
    }

    private MemberValue? ReadCollection(ISymbol owner, ITypeSymbol type, CollectionType collection, ValueOptions options)
    {
        if (collection.Model is not { } model)
        {
            findings.Report(MuxDiagnostics.UnsupportedType, owner, owner.ToDisplay(), type.ToDisplay(), collection.Problem!);
            return null;
        }

        if (!compilation.IsReachable(type.OriginalDefinition))
        {
            findings.Report(MuxDiagnostics.HiddenMessage, owner, owner.ToDisplay(), type.ToDisplay());
            return null;
        }

        if (!model.IsMap) return ReadItems(owner, type, collection.Item, Container.Collection, options) is { } items ? items with { Collection = model } : null;
        if (!_maps.TryEnter(owner, (INamedTypeSymbol)type)) return null;
        var read = new EnvelopeReader(findings, this).ReadEntry(owner, type, collection, options);
        _maps.Leave();
        if (read is not { } entry) return null;
        bool isUnique = options.Map.IsMember && !EnvelopeReader.IsMap(collection, options);
        return new MemberValue(type.ToBareCode(), entry, Container.Collection)
        {
            Collection = model with { IsUnique = isUnique },
            Overwrites = options.Overwrites
        };
    }

    private ValueModel? ReadSingle(ISymbol owner, ITypeSymbol type, ValueOptions options) =>
        ReadPlain(owner, type, options) is { } value ? value with { FollowsProtobuf = options.FollowsProtobuf } : null;

    private ValueModel? ReadPlain(ISymbol owner, ITypeSymbol type, ValueOptions options)
    {
        var typeName = type.ToBareCode();
        if (type.SpecialType == SpecialType.System_String) return new TextModel(typeName);
        if (type is IArrayTypeSymbol { IsSZArray: true, ElementType.SpecialType: SpecialType.System_Byte }) return new BytesModel(typeName);
        if (ScalarOf(type) is { } scalar) return ReadNumber(owner, type, scalar, options);
        if (type is INamedTypeSymbol { EnumUnderlyingType: { } underlying }) return ReadEnum(owner, type, underlying);
        if (FrameworkTypes.Read(type, options, out bool isFitting) is { } framework) return isFitting ? framework : RefuseFormat(owner, type, options);
        return ReadMessage(owner, type, options);
    }

    private ScalarModel? ReadNumber(ISymbol owner, ITypeSymbol type, ScalarType scalar, ValueOptions options)
    {
        bool ignoresFormat = scalar is ScalarType.Boolean or ScalarType.Char or ScalarType.Single or ScalarType.Double;
        bool isSigned = scalar is ScalarType.SByte or ScalarType.Int16 or ScalarType.Int32 or ScalarType.Int64 or ScalarType.IntPtr;
        ScalarFormat? written = options.Format switch
        {
            _ when ignoresFormat => ScalarFormat.Varint,
            DataFormat.Default or DataFormat.TwosComplement or DataFormat.WellKnown => ScalarFormat.Varint,
            DataFormat.ZigZag when isSigned => ScalarFormat.ZigZag,
            DataFormat.FixedSize => ScalarFormat.Fixed,
            _ => null,
        };
        if (written is { } known) return new ScalarModel(type.ToBareCode(), scalar, known);
        RefuseFormat(owner, type, options);
        return null;
    }

    private ValueModel? RefuseFormat(ISymbol owner, ITypeSymbol type, ValueOptions options)
    {
        findings.Report(MuxDiagnostics.Format, owner, owner.ToDisplay(), options.Format.ToString(), type.ToDisplay());
        return null;
    }

    // An enum is a varint whatever the member declares.
    private ScalarModel? ReadEnum(ISymbol owner, ITypeSymbol type, INamedTypeSymbol underlying)
    {
        if (_enums.Add(type)) IdleAttributes.CheckEnum((INamedTypeSymbol)type, findings);
        if (compilation.IsReachable(type))
        {
            return new ScalarModel(type.ToBareCode(), ScalarOf(underlying)!.Value, ScalarFormat.Varint, underlying.ToIdentity())
            {
                Enum = _constants.Read((INamedTypeSymbol)type),
            };
        }

        findings.Report(MuxDiagnostics.HiddenMessage, owner, owner.ToDisplay(), type.ToDisplay());
        return null;
    }

    private ValueModel? ReadMessage(ISymbol owner, ITypeSymbol type, ValueOptions options)
    {
        if (StreamTypes.FormOf(type) is not null)
        {
            findings.Report(MuxDiagnostics.NestedStream, owner, owner.ToDisplay(), type.ToDisplay(), NestedStream);
            return null;
        }

        var mentioned = type is INamedTypeSymbol candidate ? _types.Of(candidate) : null;
        if (mentioned is not { IsDeclared: true } && UnsupportedTypes.ReasonFor(type) is { } reason)
        {
            findings.Report(MuxDiagnostics.UnsupportedType, owner, owner.ToDisplay(), type.ToDisplay(), reason);
            return null;
        }

        if (type is not INamedTypeSymbol named || mentioned?.Contract is not { } contract)
        {
            findings.Report(MuxDiagnostics.NoMessage, owner, owner.ToDisplay(), type.ToDisplay(), UnsupportedTypes.RemedyFor(type));
            return null;
        }

        if (!compilation.IsReachable(named))
        {
            findings.Report(MuxDiagnostics.HiddenMessage, owner, owner.ToDisplay(), type.ToDisplay());
            return null;
        }

        var key = KeyOf((INamedTypeSymbol)named.WithNullableAnnotation(NullableAnnotation.NotAnnotated), mentioned.IsTuple, options);
        reached(key, owner);
        bool isGroup = options.Format == DataFormat.Group || (options.Format == DataFormat.Default && contract.IsGroup);
        if (contract.Surrogate is not { } surrogate)
        {
            return new NestedModel(named.ToBareCode(), key.Codec, named.ToDisplay(), named.IsValueType, isGroup)
            {
                Size = SizeOf(named),
                IsLeveled = key.Level > CompatibilityLevel.Level200,
            };
        }

        return ReadSurrogate(named, key.Codec, surrogate, options);
    }

    private int SizeOf(INamedTypeSymbol type) => sizes?.Of(type) ?? 0;

    private MessageKey KeyOf(INamedTypeSymbol type, bool isTuple, ValueOptions options)
    {
        return new MessageKey(type, isTuple && _levels.Declared(type) is null ? options.TupleLevel : CompatibilityLevel.NotSpecified);
    }

    // A surrogate that is not a message is written in the field itself, in its own format. An invalid one is reported when the type itself is read.
    private ValueModel? ReadSurrogate(INamedTypeSymbol type, string codec, INamedTypeSymbol surrogate, ValueOptions options)
    {
        var value = SurrogateReader.ProblemOf(type, surrogate) is null ? ReadSingle(type, surrogate, SurrogateOptions(type)) : null;
        if (value is not NestedModel nested)
        {
            return value is null ? null : new ConvertedModel(type.ToBareCode(), codec, type.IsValueType, value) { Size = SizeOf(type) };
        }

        bool isGroup = options.Format == DataFormat.Group || (options.Format == DataFormat.Default && nested.IsGroup);
        return new NestedModel(type.ToBareCode(), codec, type.ToDisplay(), type.IsValueType, isGroup) { Size = SizeOf(type) + nested.Size };
    }
}
