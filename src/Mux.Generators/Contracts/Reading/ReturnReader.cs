using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Reads the return types of methods.</summary>
internal sealed class ReturnReader(Findings findings)
{
    /// <summary>Reads a return type. Null if it is not supported; the reason is then in the findings.</summary>
    public ReturnValue? Read(IMethodSymbol method, bool oneWay, bool takesStream)
    {
        if (ReadForm(method) is not { } value) return null;
        if (value is { Form: not ReturnForm.Bare, Stream: StreamForm.Items })
        {
            const string reason = "its call begins when it is enumerated, so there is nothing to await before: return IAsyncEnumerable<T> without a task";
            findings.Report(MuxDiagnostics.NestedStream, method, method.ToDisplay(), method.ReturnType.ToDisplay(), reason);
            return null;
        }

        if (oneWay && (takesStream || value.Stream is not null)) findings.Report(MuxDiagnostics.OneWayStream, method, method.ToDisplay());
        else if (oneWay && value.Result is not null) findings.Report(MuxDiagnostics.OneWayResult, method, method.ToDisplay(), method.ReturnType.ToDisplay());

        if (!value.HoldsResultOfStream && !(value.IsResult && takesStream)) return value;
        findings.Report(MuxDiagnostics.ResultOfStream, method, method.ToDisplay(), method.ReturnType.ToDisplay());
        return null;
    }

    private ReturnValue? ReadForm(IMethodSymbol method)
    {
        var type = method.ReturnType as INamedTypeSymbol;
        ReturnForm? form = type?.ToFullName() switch
        {
            WellKnownNames.ValueTask => ReturnForm.ValueTask,
            WellKnownNames.Task => ReturnForm.Task,
            _ when StreamTypes.FormOf(type) is not null => ReturnForm.Bare,
            _ => null,
        };
        if (form is { } known && !method.ReturnsByRef && !method.ReturnsByRefReadonly)
            return new ReturnValue(known, known == ReturnForm.Bare ? type : type!.TypeArguments.FirstOrDefault());

        findings.Report(MuxDiagnostics.ReturnType, method, method.ToDisplay(), method.ReturnType.ToDisplay());
        return null;
    }
}
