using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Determines the purpose of each parameter of a method.</summary>
internal sealed class ParameterReader(Findings findings)
{
    public Signature Read(IMethodSymbol method)
    {
        var models = new List<ParameterModel>();
        var arguments = new List<IParameterSymbol>();
        var callbacks = new List<IParameterSymbol>();
        IParameterSymbol? stream = null;
        foreach (var parameter in method.Parameters)
        {
            CheckKind(method, parameter);
            var role = RoleOf(parameter);
            models.Add(new ParameterModel(SymbolText.Escape(parameter.Name), parameter.Type.ToCode(), role) { Position = parameter.Ordinal });
            switch (role)
            {
                case ParameterRole.Argument:
                    arguments.Add(parameter);
                    break;
                case ParameterRole.Stream when stream is not null:
                    findings.Report(MuxDiagnostics.TwoStreams, parameter, method.ToDisplay(), stream.Name, parameter.Name);
                    break;
                case ParameterRole.Stream:
                    stream = parameter;
                    break;
                case ParameterRole.Callback:
                    callbacks.Add(parameter);
                    break;
                case ParameterRole.Options when parameter.Ordinal != PlaceOfOptions(method):
                    findings.Report(MuxDiagnostics.OptionsPosition, parameter, parameter.Name, method.ToDisplay());
                    break;
                case ParameterRole.Token when parameter.Ordinal != method.Parameters.Length - 1:
                    findings.Report(MuxDiagnostics.TokenPosition, parameter, parameter.Name, method.ToDisplay());
                    break;
            }
        }

        return new Signature(new EquatableArray<ParameterModel>([.. models]), [.. arguments], stream, [.. callbacks]);
    }

    /// <summary>
    /// True if the contract declares a parameter as never null. Code without annotations declares nothing, and null as the default, or [AllowNull], allows it.
    /// </summary>
    public static bool RefusesNull(IParameterSymbol parameter)
    {
        if (!parameter.Type.IsReferenceType || parameter.NullableAnnotation != NullableAnnotation.NotAnnotated) return false;
        return !(parameter.HasExplicitDefaultValue && parameter.ExplicitDefaultValue is null) && !parameter.HasAttribute(WellKnownNames.AllowNull);
    }

    /// <summary>Gets the purpose of a parameter, which its type decides.</summary>
    public static ParameterRole RoleOf(IParameterSymbol parameter) => (parameter.Type as INamedTypeSymbol)?.ToFullName() switch
    {
        WellKnownNames.CancellationToken => ParameterRole.Token,
        WellKnownNames.MuxCallOptions => ParameterRole.Options,
        _ when StreamTypes.FormOf(parameter.Type) is not null => ParameterRole.Stream,
        _ when parameter.Type.TypeKind == TypeKind.Interface && parameter.Type.HasAttribute(WellKnownNames.MuxCallback) => ParameterRole.Callback,
        _ => ParameterRole.Argument,
    };

    // The last parameter, or the last before a token.
    private static int PlaceOfOptions(IMethodSymbol method)
    {
        var parameters = method.Parameters;
        int last = parameters.Length - 1;
        return RoleOf(parameters[last]) == ParameterRole.Token ? last - 1 : last;
    }

    private void CheckKind(IMethodSymbol method, IParameterSymbol parameter)
    {
        var kind = parameter switch
        {
            { RefKind: not RefKind.None } => parameter.RefKind.ToString().ToLowerInvariant(),
            { IsParams: true } => "params",
            _ => null,
        };
        if (kind is not null) findings.Report(MuxDiagnostics.ParameterKind, parameter, parameter.Name, method.ToDisplay(), kind);
    }
}
