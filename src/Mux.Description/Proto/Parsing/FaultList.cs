namespace Mux.Description.Proto.Parsing;

/// <summary>The faults of one run, not more than the limit.</summary>
internal sealed class FaultList(List<ProtoFault> faults)
{
    private readonly int _first = faults.Count;

    public bool HasErrors { get; private set; }

    public bool IsFull => faults.Count - _first >= ProtoLimits.Faults;

    public void Add(ProtoFault fault)
    {
        bool isError = fault.Severity == ProtoFaultSeverity.Error;
        if (!IsFull) faults.Add(fault);
        else if (isError && !HasErrors) faults[faults.Count - 1] = fault; // warnings must not hide an error
        HasErrors |= isError;
    }
}
