using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>
/// Determines how to create objects of a message type: like protobuf-net, by the parameterless constructor or without any; where protobuf-net fails, by a
/// constructor that takes the members, such as that of a positional record.
/// </summary>
internal sealed class ConstructionReader(Compilation compilation, Findings findings)
{
    private const string SetsRequiredMembers = "System.Diagnostics.CodeAnalysis.SetsRequiredMembersAttribute";

    /// <summary>Reads the construction. Null if objects cannot be created; the reason is then in the findings.</summary>
    public ConstructionModel? Read(INamedTypeSymbol type, MessageContract contract, List<MemberModel> members, HierarchyModel? hierarchy)
    {
        if (type.IsAbstract && hierarchy is null)
        {
            findings.Report(MuxDiagnostics.NoConstructor, type, type.ToDisplay(),
                "it is abstract and has no [ProtoInclude]; name its derived classes with [ProtoInclude], or make it a class that is not abstract");
            return null;
        }

        // All parts of a class hierarchy are read into one object, which must exist before any of them.
        var construction = type.IsAbstract ? Plain(Construction.New) : ReadPlain(type, contract);
        if (hierarchy is null && (construction is null || members.Any(static member => member.Write == WriteAccess.Constructor)))
            construction = ReadParameters(type, members) ?? construction;

        if (construction is null)
        {
            const string none = "it has no parameterless constructor that this assembly can see, and ";
            var reason = hierarchy is null
                ? "no constructor whose parameters match its members by name and type; add a parameterless constructor, which may be private, or name the " +
                "parameters after the members" : "inherits or is inherited; [ProtoContract(SkipConstructor = true)] creates it without a constructor";
            findings.Report(MuxDiagnostics.NoConstructor, type, type.ToDisplay(), none + reason);
            return null;
        }

        return CheckAccess(type, members, construction) ? construction : null;
    }

    private ConstructionModel? ReadPlain(INamedTypeSymbol type, MessageContract contract)
    {
        if (type.IsValueType) return Plain(Construction.Default);
        if (contract.SkipConstructor) return Plain(Construction.Uninitialized);
        if (type.InstanceConstructors.FirstOrDefault(static constructor => constructor.Parameters.IsEmpty) is not { } found) return null;
        return Plain(NeedsAccessor(type, found) ? Construction.Accessor : Construction.New);
    }

    private static ConstructionModel Plain(Construction kind) => new(kind, EquatableArray<int>.Empty, kind == Construction.Accessor);

    // The constructor with the most parameters, all of which are members. If there are two, the choice is ambiguous.
    private ConstructionModel? ReadParameters(INamedTypeSymbol type, List<MemberModel> members)
    {
        var candidates = type.InstanceConstructors
            .Where(static constructor => !constructor.Parameters.IsEmpty)
            .Select(constructor => (Constructor: constructor, Parameters: Match(type, constructor, members)))
            .Where(static candidate => candidate.Parameters is not null)
            .OrderByDescending(static candidate => candidate.Parameters!.Length)
            .ToList();
        if (candidates.Count == 0 || (candidates.Count > 1 && candidates[0].Parameters!.Length == candidates[1].Parameters!.Length)) return null;

        var (chosen, parameters) = candidates[0];
        return new ConstructionModel(Construction.Parameters, new EquatableArray<int>([.. parameters!]), NeedsAccessor(type, chosen));
    }

    private static int[]? Match(INamedTypeSymbol type, IMethodSymbol constructor, List<MemberModel> members)
    {
        var indexes = new int[constructor.Parameters.Length];
        for (int i = 0; i < indexes.Length; i++)
        {
            indexes[i] = members.FindIndex(member => IsSame(type, member, constructor.Parameters[i]));
            if (indexes[i] < 0 || Array.IndexOf(indexes, indexes[i], 0, i) >= 0) return null;
        }

        return indexes;
    }

    private static bool IsSame(INamedTypeSymbol type, MemberModel member, IParameterSymbol parameter)
    {
        if (parameter.RefKind != RefKind.None || !string.Equals(member.Name, parameter.Name, StringComparison.OrdinalIgnoreCase)) return false;
        var declared = type.GetMembers(member.Name).Select(static symbol => (symbol as IPropertySymbol)?.Type ?? (symbol as IFieldSymbol)?.Type);
        return declared.Any(candidate => SymbolEqualityComparer.Default.Equals(candidate, parameter.Type));
    }

    private bool NeedsAccessor(INamedTypeSymbol type, IMethodSymbol constructor)
    {
        return !compilation.IsReachable(constructor) || (HasRequiredMembers(type) && !constructor.HasAttribute(SetsRequiredMembers));
    }

    /// <summary>True if C# requires the creator of an object to set members of it.</summary>
    public static bool HasRequiredMembers(INamedTypeSymbol type)
    {
        for (var declaring = type; declaring is not null; declaring = declaring.OwnBase())
        {
            if (declaring.GetMembers().Any(static member => member is IPropertySymbol { IsRequired: true } or IFieldSymbol { IsRequired: true })) return true;
        }

        return false;
    }

    private bool CheckAccess(INamedTypeSymbol type, List<MemberModel> members, ConstructionModel construction)
    {
        bool isComplete = true;
        for (int i = 0; i < members.Count; i++)
        {
            var member = members[i];
            bool isParameter = construction.Parameters.Contains(i);
            if (isParameter && member.Condition is { IsSet: true } condition)
                findings.Report(MuxDiagnostics.Conditional, type, $"{type.ToDisplay()}.{condition.Name}", member.Name,
                    "would be set when the member is read, but a constructor takes the member");
            if (ProblemOf(member, isParameter) is not { } problem) continue;
            var symbol = type.GetMembers(member.Name).FirstOrDefault() ?? type;
            findings.Report(MuxDiagnostics.HiddenMember, symbol, $"{type.ToDisplay()}.{member.Name}", problem);
            isComplete = false;
        }

        return isComplete;
    }

    private static string? ProblemOf(MemberModel member, bool isParameter)
    {
        bool isLost = !isParameter && member.Write == WriteAccess.Constructor;
        return isLost ? "it has no setter, or none that can be seen from this assembly, and no constructor takes it" : null;
    }
}
