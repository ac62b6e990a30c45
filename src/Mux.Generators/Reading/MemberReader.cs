using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Models;

namespace Mux.Generators.Reading;

/// <summary>Reads the members of message types: which are fields, with which number, and what is left out.</summary>
internal sealed class MemberReader(Compilation compilation, Findings findings, ValueReader values)
{
    private const int MaxFieldNumber = (1 << 29) - 1;

    private readonly AccessReader _access = new(compilation, findings);

    /// <summary>Null if the member is no field, or cannot be one; then it is in the findings.</summary>
    public MemberModel? Read(ISymbol symbol, INamedTypeSymbol type, MessageContract contract)
    {
        if (symbol is not (IPropertySymbol or IFieldSymbol) || symbol.IsStatic || symbol.HasAttribute(WellKnownNames.ProtoIgnore)) return null;
        if (ReadNumber(symbol, contract) is not { } number) return null;

        OptionChecks.CheckMember(symbol, findings);
        CheckConditional(symbol, type);
        if (number is < 1 or > MaxFieldNumber)
        {
            findings.Report(MuxDiagnostics.FieldNumber, symbol, symbol.ToDisplay(), $"{number}");
            return null;
        }

        var proto = symbol.FindAttribute(WellKnownNames.ProtoMember);
        var memberType = symbol is IPropertySymbol property ? property.Type : ((IFieldSymbol)symbol).Type;
        if (values.Read(symbol, memberType, (DataFormat)(proto?.Number("DataFormat") ?? 0)) is not { } value) return null;

        bool isRequired = (proto ?? symbol.FindAttribute(WellKnownNames.DataMember))?.Flag("IsRequired") == true;
        var member = value.ToMember(number, NameOf(symbol), ReadAccess.Direct, WriteAccess.Direct) with
        {
            IsPacked = proto?.Flag("IsPacked") == true && value.Value is ScalarModel,
            Default = isRequired ? null : ReadDefault(symbol, value),
        };
        return _access.Complete(member, symbol, type);
    }

    private static string NameOf(ISymbol symbol) => (symbol as IFieldSymbol)?.AssociatedSymbol?.Name ?? symbol.Name;

    private int? ReadNumber(ISymbol symbol, MessageContract contract)
    {
        if (symbol.FindAttribute(WellKnownNames.ProtoMember) is { } proto) return proto.Number("tag") ?? 0;

        if (symbol.FindAttribute(WellKnownNames.DataMember) is { } data)
        {
            int order = data.Number("Order") ?? -1;
            if (contract.ReadsDataMembers && order > 0) return order;
            var reason = contract.ReadsDataMembers ? "without an Order above 0" : "and its type no [DataContract]";
            findings.Report(MuxDiagnostics.NoOrder, symbol, symbol.ToDisplay(), reason);
        }

        var xml = symbol.FindAttribute(WellKnownNames.XmlElement) ?? symbol.FindAttribute(WellKnownNames.XmlArray);
        if (contract.ReadsXmlElements && xml?.Number("Order") > 0)
            findings.Report(MuxDiagnostics.Option, symbol, symbol.ToDisplay(), $"{xml.AttributeClass!.Name}.Order");
        return null;
    }

    private string? ReadDefault(ISymbol symbol, MemberValue value)
    {
        if (symbol.FindAttribute(WellKnownNames.DefaultValue) is not { } attribute || value.Container is Container.List or Container.Array) return value.Zero;
        if (DefaultValueReader.TryRead(attribute, value.Value, out var literal)) return literal;
        findings.Report(MuxDiagnostics.DefaultValue, symbol, symbol.ToDisplay(), value.TypeName);
        return null;
    }

    // protobuf-net finds these by name, also in base classes and whatever their accessibility.
    private void CheckConditional(ISymbol symbol, INamedTypeSymbol type)
    {
        for (var declaring = type; declaring is not null; declaring = declaring.BaseType)
        {
            var conditions = declaring.GetMembers(symbol.Name + "Specified").OfType<IPropertySymbol>().Cast<ISymbol>()
                .Concat(declaring.GetMembers("ShouldSerialize" + symbol.Name).OfType<IMethodSymbol>()
                    .Where(static method => method.Parameters.IsEmpty && method.ReturnType.SpecialType == SpecialType.System_Boolean));
            foreach (var condition in conditions.Where(static condition => !condition.IsStatic))
                findings.Report(MuxDiagnostics.Conditional, condition, condition.ToDisplay(), symbol.Name);
        }
    }
}
