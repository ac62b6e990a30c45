using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>
/// Finds the remote methods of a contract, among its members and those of inherited interfaces. Methods with a body and static methods are local code of the
/// caller.
/// </summary>
internal sealed class ContractMembers(INamedTypeSymbol contract, Compilation compilation, Findings findings)
{
    /// <summary>Reads the contract's own methods, in declaration order, then the inherited ones. Sets the origin of findings to each.</summary>
    public IEnumerable<IMethodSymbol> ReadMethods()
    {
        foreach (var declaring in contract.AllInterfaces.Insert(0, contract))
        {
            if (IsRefused(declaring)) continue;
            foreach (var member in declaring.GetMembers())
            {
                findings.Origin = IsHere(member) ? member : contract;
                if (ProblemOf(member) is { } problem) findings.Report(MuxDiagnostics.NoMethod, member, member.ToDisplay(), problem);
                else if (member is IMethodSymbol { AssociatedSymbol: null } method && IsRemote(method)) yield return method;
            }
        }
    }

    // Their methods would otherwise count as remote methods.
    private bool IsRefused(INamedTypeSymbol declaring)
    {
        if (declaring.ToFullName() is not (WellKnownNames.Disposable or WellKnownNames.AsyncDisposable)) return false;
        findings.Report(MuxDiagnostics.DisposableContract, contract, contract.ToDisplay(), declaring.ToDisplay());
        return true;
    }

    private string? ProblemOf(ISymbol member) => member switch
    {
        { IsStatic: true, IsAbstract: true } => "static and without a body; give it one, or make it a method of the instance",
        IPropertySymbol { IsAbstract: true, IsIndexer: true } => "an indexer, which cannot be called remotely; make it a method, or give it a body",
        IPropertySymbol { IsAbstract: true } => "a property, which cannot be called remotely; make it a method, or give it a body",
        IEventSymbol { IsAbstract: true } => "an event, which cannot be called remotely; make it a method that returns a stream, or give it a body",
        IMethodSymbol { AssociatedSymbol: null } method => ProblemOf(method),
        _ => null,
    };

    private string? ProblemOf(IMethodSymbol method)
    {
        bool isNamed = method.HasAttribute(WellKnownNames.MuxMethod);
        if (isNamed && !method.IsAbstract && !method.IsVirtual)
        {
            return "a method with a body that cannot be overridden, so [MuxMethod] has no effect; remove the attribute or the modifier that seals the method";
        }

        bool isHidden = !compilation.IsReachable(method) && compilation.IsReachable(method.ContainingType);
        return isHidden && IsRemote(method) ? "hidden from the code that is generated for it; make it public or internal, or give it a body" : null;
    }

    /// <summary>True for a method without a body in any of the interfaces, or with an attribute that declares its body a default for servers.</summary>
    private bool IsRemote(IMethodSymbol method)
    {
        if (method.MethodKind != MethodKind.Ordinary || method.IsStatic) return false;
        if (!method.IsAbstract && !method.IsVirtual) return false;
        if (SymbolEqualityComparer.Default.Equals(method.ContainingType, contract)) return method.IsAbstract || method.HasAttribute(WellKnownNames.MuxMethod);
        var body = contract.FindImplementationForInterfaceMember(method);
        if (body is null or { IsAbstract: true }) return true;
        return SymbolEqualityComparer.Default.Equals(body, method) && method.HasAttribute(WellKnownNames.MuxMethod);
    }

    private bool IsHere(ISymbol symbol) => SymbolEqualityComparer.Default.Equals(symbol.ContainingAssembly, compilation.Assembly);
}
