using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Reads the authorization of the methods of one contract.</summary>
internal static class AuthorizationReader
{
    /// <summary>
    /// Reads the attributes of a method. The attribute nearest to the method decides whether anonymous peers may call it. Requirements add up: from the
    /// contract, the interfaces between it and the declaring interface, that interface, and the method.
    /// </summary>
    /// <returns>Null if there are no attributes.</returns>
    public static AuthorizationModel? Read(INamedTypeSymbol contract, IMethodSymbol method)
    {
        var policies = new List<string>();
        var roles = new List<string>();
        bool requires = false, allows = false;
        foreach (var symbol in Places(contract, method))
        {
            bool requiresHere = ReadRequirements(symbol, policies, roles);
            bool allowsHere = symbol.HasAttribute(WellKnownNames.MuxAllowAnonymous);
            if (allowsHere && !requiresHere)
            {
                policies.Clear();
                roles.Clear();
                requires = false;
            }

            requires |= requiresHere;
            allows = allowsHere || (allows && !requiresHere); // both in one place: the server does not start
        }

        return requires || allows ? new AuthorizationModel(allows, requires, new([.. policies]), new([.. roles])) : null;
    }

    private static IEnumerable<ISymbol> Places(INamedTypeSymbol contract, IMethodSymbol method)
    {
        yield return contract;
        if (!SymbolEqualityComparer.Default.Equals(method.ContainingType, contract))
        {
            // An interface that inherits more is further from the method. At equal distance, opening attributes come first and closing ones have the last word.
            var between = contract.AllInterfaces.Where(type => type.AllInterfaces.Contains(method.ContainingType, SymbolEqualityComparer.Default));
            foreach (var type in between.OrderByDescending(type => type.AllInterfaces.Length)
                .ThenBy(type => !type.HasAttribute(WellKnownNames.MuxAllowAnonymous)))
            {
                yield return type;
            }

            yield return method.ContainingType;
        }

        yield return method;
    }

    private static bool ReadRequirements(ISymbol symbol, List<string> policies, List<string> roles)
    {
        bool requires = false;
        foreach (var attribute in symbol.GetAttributes())
        {
            if (attribute.AttributeClass is not { } type || !type.HasFullName(WellKnownNames.MuxAuthorize)) continue;
            requires = true;
            if (attribute.Argument("policy") is string policy) policies.Add(policy);
            if (attribute.Argument("Roles") is string any) roles.Add(any);
        }

        return requires;
    }
}
