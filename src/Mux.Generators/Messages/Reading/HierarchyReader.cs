using System.Globalization;
using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Reads the classes that are written as one message: those that [ProtoInclude] of a base class names.</summary>
/// <param name="compilation">Resolves accessibility and class names.</param>
/// <param name="findings">Receives mistakes.</param>
/// <param name="reached">Called for every class of the hierarchy, with the class that leads to it.</param>
/// <param name="sizes">Measures the classes.</param>
internal sealed class HierarchyReader(Compilation compilation, Findings findings, Action<MessageKey, ISymbol> reached, TypeSizes sizes)
{
    /// <summary>Gets the nearest base message that includes a class; null if there is none.</summary>
    public static INamedTypeSymbol? BaseOf(INamedTypeSymbol type) => BasesOf(type).FirstOrDefault();

    /// <summary>Reads the hierarchy of a class; null if the class is a message by itself.</summary>
    public HierarchyModel? Read(INamedTypeSymbol type, EquatableArray<IncludeModel> includes)
    {
        var bases = new List<INamedTypeSymbol>();
        for (var parent = BaseOf(type); parent is not null; parent = BaseOf(parent)) bases.Insert(0, parent);
        if (bases.Count == 0 && includes.Count == 0) return null;

        foreach (var parent in bases) reached(new MessageKey(parent), type);
        if (BasesOf(type).Skip(1).FirstOrDefault() is { } second)
            findings.Report(MuxDiagnostics.Inheritance, type, type.ToDisplay(),
                $"is included by '{bases[bases.Count - 1].ToDisplay()}' and by '{second.ToDisplay()}', but it can have only one base");

        var root = bases.Count == 0 ? type : bases[0];
        return new HierarchyModel(
            root.ToIdentity(), new MessageKey(root).Codec, bases.Count == 0, type.IsAbstract,
            new EquatableArray<string>([.. bases.Select(static parent => parent.ToIdentity())]), includes);
    }

    /// <summary>Reads the classes that a class includes, by number.</summary>
    public EquatableArray<IncludeModel> ReadIncludes(INamedTypeSymbol type)
    {
        var includes = new List<IncludeModel>();
        foreach (var attribute in type.GetAttributes())
        {
            if (attribute.FullName() == WellKnownNames.ProtoInclude && ReadInclude(type, attribute) is { } include) includes.Add(include);
        }

        var twice = includes.GroupBy(static include => include.TypeName, StringComparer.Ordinal).FirstOrDefault(static group => group.Count() > 1);
        if (twice is not null) findings.Report(MuxDiagnostics.Inheritance, type, type.ToDisplay(), $"includes '{twice.First().DisplayName}' twice");
        return new EquatableArray<IncludeModel>([.. includes.OrderBy(static include => include.Number)]);
    }

    private static IEnumerable<INamedTypeSymbol> BasesOf(INamedTypeSymbol type)
    {
        for (var parent = type.OwnBase(); parent is not null; parent = parent.OwnBase())
        {
            if (MessageContract.Of(parent) is not null && parent.GetAttributes().Any(attribute => Includes(parent, attribute, type))) yield return parent;
        }
    }

    private static bool Includes(INamedTypeSymbol parent, AttributeData attribute, INamedTypeSymbol type)
    {
        return attribute.FullName() == WellKnownNames.ProtoInclude && SymbolEqualityComparer.Default.Equals(TypeOf(parent, attribute), type);
    }

    // A name is resolved in the assembly of the class, like the last step of protobuf-net.
    private static INamedTypeSymbol? TypeOf(INamedTypeSymbol parent, AttributeData attribute) => attribute.ConstructorArguments.LastOrDefault().Value switch
    {
        INamedTypeSymbol type => type,
        string name => parent.ContainingAssembly.GetTypeByMetadataName(name.Split(',')[0].Trim()),
        _ => null,
    };

    private IncludeModel? ReadInclude(INamedTypeSymbol type, AttributeData attribute)
    {
        int number = attribute.Number("tag") ?? 0;
        var derived = TypeOf(type, attribute);
        if (derived is { IsUnboundGenericType: false } && !IsBaseOf(type, derived) && type.IsGenericType) return null; // derives from another construction
        if (ProblemOf(type, derived) is { } problem)
        {
            findings.Report(MuxDiagnostics.Inheritance, type, type.ToDisplay(), problem);
            return null;
        }

        if (number is < 1 or > FieldNumber.Max)
        {
            findings.Report(MuxDiagnostics.FieldNumber, type, $"{type.ToDisplay()}: {derived!.ToDisplay()}", number.ToString(CultureInfo.InvariantCulture));
            return null;
        }

        if (!compilation.IsReachable(derived!))
        {
            findings.Report(MuxDiagnostics.HiddenMessage, type, type.ToDisplay(), derived!.ToDisplay());
            return null;
        }

        reached(new MessageKey(derived!), type);
        bool isGroup = (DataFormat)(attribute.Number("DataFormat") ?? 0) == DataFormat.Group;
        return new IncludeModel(
            number, derived!.Name, derived.ToIdentity(), new MessageKey(derived).Codec, derived.ToDisplay(), isGroup, sizes.Of(derived) - sizes.Of(type));
    }

    private static string? ProblemOf(INamedTypeSymbol type, INamedTypeSymbol? derived)
    {
        if (derived is null) return "includes a class that is not found";
        var name = derived.ToDisplay();
        if (derived.IsUnboundGenericType) return $"includes '{name}', which is an open generic class";
        if (!IsBaseOf(type, derived)) return $"includes '{name}', which does not derive from it";
        if (MessageContract.Of(derived)?.Surrogate is not null) return $"includes '{name}', which is written by a surrogate";
        return TupleReader.ConstructorOf(derived) is not null ? $"includes '{name}', which is taken as a tuple without an attribute" : null;
    }

    private static bool IsBaseOf(INamedTypeSymbol type, INamedTypeSymbol derived)
    {
        for (var parent = derived.BaseType; parent is not null; parent = parent.BaseType)
        {
            if (SymbolEqualityComparer.Default.Equals(parent, type)) return true;
        }

        return false;
    }
}
