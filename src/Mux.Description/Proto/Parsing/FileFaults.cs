namespace Mux.Description.Proto.Parsing;

/// <summary>Reports the faults of one file.</summary>
internal sealed class FileFaults(FaultList all, string file)
{
    public bool HasErrors { get; private set; }

    /// <summary>Gets a value indicating whether no more faults are reported and the files are refused, so that the rest need not be read.</summary>
    public bool IsDone => all.IsFull && all.HasErrors;

    public void Error(ProtoPosition position, string message)
    {
        HasErrors = true;
        all.Add(new ProtoFault(file, position, message, ProtoFaultSeverity.Error));
    }

    public void Warn(ProtoPosition position, string message) => all.Add(new ProtoFault(file, position, message, ProtoFaultSeverity.Warning));
}
