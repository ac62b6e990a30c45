using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Contracts.Reading;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Reads the fields of message types: their values, when they are omitted, and how they are accessed.</summary>
internal sealed class MemberReader(Compilation compilation, Findings findings, ValueReader values)
{
    private readonly AccessReader _access = new(compilation, findings);
    private readonly CompatibilityLevelReader _levels = new(findings);

    private readonly InitializerReader _initializers = new(compilation);
    private readonly ConditionReader _conditions = new(compilation, findings);

    /// <summary>Reads a member. Null if it cannot be a field; the reason is then in the findings.</summary>
    public MemberModel? Read(NumberedMember field, INamedTypeSymbol type)
    {
        var (symbol, number) = (field.Symbol, field.Number);
        if (!field.IsPlain) OptionChecks.CheckMember(symbol, field.Attribute, findings);
        if (number is < 1 or > FieldNumber.Max)
        {
            findings.Report(MuxDiagnostics.FieldNumber, symbol, symbol.ToDisplay(), $"{number}");
            return null;
        }

        // Only [ProtoMember] and [ProtoPartialMember] have these options.
        var proto = field.IsPinned ? field.Attribute : null;
        var memberType = symbol is IPropertySymbol property ? property.Type : ((IFieldSymbol)symbol).Type;
        var flags = MemberOptions.Of(field.Attribute);
        var options = new ValueOptions((DataFormat)(proto?.Number("DataFormat") ?? 0), field.IsPlain ? _levels.Of(type) : _levels.Of(symbol, type))
        {
            FollowsProtobuf = type.HasAttribute(WellKnownNames.MuxProto),
            IsPacked = flags.IsPacked,
            Overwrites = flags.Overwrites,
            Map = field.IsPlain ? MapOptions.Plain : MapOptions.Of(symbol),
            Nulls = field.IsPlain ? default : NullOptions.Of(symbol),
        };
        if (values.Read(symbol, memberType, options) is not { } value) return null;

        var condition = _conditions.Read(symbol, type);
        var omitted = field.IsPlain ? value.Zero : ReadDefault(symbol, value);
        if (!field.IsPlain)
        {
            CheckWrapping(symbol, value, flags.IsRequired, options);
            CheckMap(symbol, memberType, options);
        }

        omitted = flags.IsRequired || condition is not null ? null : omitted;
        var member = value.ToMember(number, NameOf(symbol), ReadAccess.Direct, WriteAccess.Direct) with
        {
            Default = omitted,
            Initial = omitted is null ? _initializers.Read(symbol, type, value) : null,
            Condition = condition,
            IsOptional = memberType.NullableAnnotation == NullableAnnotation.Annotated,
        };
        return _access.Complete(member, symbol, type);
    }

    /// <summary>Reads the member of type UnknownFields in which a message keeps unknown fields; null if there is none.</summary>
    public MemberModel? ReadKeptFields(INamedTypeSymbol type)
    {
        var found = type.GetMembers().Where(static symbol => !symbol.IsStatic && !symbol.IsImplicitlyDeclared && IsKeptFields(symbol)).ToList();
        if (found.Count == 0) return null;
        if (found.Count > 1)
        {
            findings.Report(MuxDiagnostics.Extension, found[1], type.ToDisplay(),
                $"has the members '{found[0].Name}' and '{found[1].Name}' for unknown fields");
        }

        var typeName = "global::" + WellKnownNames.UnknownFields;
        var member = new MemberModel(
            0, NameOf(found[0]), typeName, new KeptFieldsModel(typeName), Container.Single, IsPacked: false, Default: null, ReadAccess.Direct,
                WriteAccess.Direct);
        return _access.Complete(member, found[0], type);
    }

    /// <summary>True if a member keeps unknown fields, and so is not a field itself.</summary>
    public static bool IsKeptFields(ISymbol symbol)
    {
        var type = (symbol as IPropertySymbol)?.Type ?? (symbol as IFieldSymbol)?.Type;
        return type is INamedTypeSymbol { Name: "UnknownFields" } named && named.HasFullName(WellKnownNames.UnknownFields);
    }

    private static string NameOf(ISymbol symbol) => (symbol as IFieldSymbol)?.AssociatedSymbol?.Name ?? symbol.Name;

    private string? ReadDefault(ISymbol symbol, MemberValue value)
    {
        if (symbol.FindAttribute(WellKnownNames.DefaultValue) is not { } attribute) return value.Zero;
        if (value.Value is EnvelopeModel { Form: EnvelopeForm.Value }) return value.Zero; // the reason is in the findings
        var type = (symbol as IPropertySymbol)?.Type ?? ((IFieldSymbol)symbol).Type;
        bool isSingle = !value.IsRepeated && value.Value is not EnvelopeModel;
        if (DefaultValueReader.TryRead(attribute, type, isSingle ? value.Value : null, out var literal)) return literal;
        findings.Report(MuxDiagnostics.DefaultValue, symbol, symbol.ToDisplay(), value.TypeName.Replace("global::", string.Empty));
        return null;
    }

    // As in protobuf-net, which rejects options that it would have to ignore.
    private void CheckWrapping(ISymbol symbol, MemberValue value, bool isRequired, ValueOptions options)
    {
        if (value.Value is not EnvelopeModel { Form: EnvelopeForm.Value }) return;
        var problem = symbol switch
        {
            _ when isRequired => "a required value",
            _ when options.IsPacked => "a packed value",
            _ when options.Format != DataFormat.Default => "a value with a DataFormat",
            _ when symbol.HasAttribute(WellKnownNames.DefaultValue) => "a value with a default",
            _ => null,
        };
        if (problem is not null) findings.Report(MuxDiagnostics.NullWrapping, symbol, symbol.ToDisplay(), "NullWrappedValue", $"{problem} cannot be wrapped");
    }

    // protobuf-net ignores these options.
    private void CheckMap(ISymbol symbol, ITypeSymbol type, ValueOptions options)
    {
        if (symbol.FindAttribute(WellKnownNames.ProtoMap) is not { } attribute) return;
        var reason = CollectionTypes.Of(type) switch
        {
            not { Key: not null } => "the member is not a map",
            { } map when !EnvelopeReader.IsMap(map, options) => "protobuf has no map of this kind, and entries are pairs of the default format",
            _ => null,
        };
        if (reason is null) return;
        foreach (var option in attribute.NamedArguments.Where(static option => option.Value.Value is int and not 0))
            findings.Report(MuxDiagnostics.MapOption, symbol, symbol.ToDisplay(), option.Key, reason);
    }
}
