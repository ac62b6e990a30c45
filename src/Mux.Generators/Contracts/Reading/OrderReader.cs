using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Checks methods whose handlers run one after the other, of one key or of one connection.</summary>
internal sealed class OrderReader(Findings findings)
{
    private const string Mode = "Dispatch = global::Mux.MuxDispatchMode.";

    public static bool IsOrdered(ChoicesModel choices) => choices.Has(Mode + "Ordered");

    public static bool IsSerial(ChoicesModel choices) => choices.Has(Mode + "Serial");

    public void Check(IMethodSymbol method, MethodModel model)
    {
        bool isOrdered = IsOrdered(model.Choices);
        if (!isOrdered && !IsSerial(model.Choices)) return;
        if (model.IsStreamed)
        {
            findings.Report(OrderDiagnostics.Order, method, method.ToDisplay(), isOrdered ? "Ordered" : "Serial",
                "a stream, or callbacks, would keep all later calls waiting until they end; set another Dispatch for this method");
        }
        else if (isOrdered && model.Key is null)
        {
            findings.Report(OrderDiagnostics.Order, method, method.ToDisplay(), "Ordered",
                "it has no key; mark a parameter, or a member of its message, with [MuxKey], or use Serial for one call at a time on each connection");
        }
        else if (!model.OneWay && !model.Choices.Has("Timeout = "))
        {
            findings.Report(OrderDiagnostics.OrderWithoutDeadline, method, method.ToDisplay());
        }
    }
}
