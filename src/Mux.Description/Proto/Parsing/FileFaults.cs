namespace Mux.Description.Proto.Parsing;

/// <summary>Tells the faults of one file.</summary>
internal sealed class FileFaults(FaultList all, string file)
{
    public bool HasErrors { get; private set; }

    public bool IsFull => all.IsFull;

    public void Error(ProtoPosition position, string message)
    {
        HasErrors = true;
        all.Add(new ProtoFault(file, position, message, ProtoFaultSeverity.Error));
    }

    public void Warn(ProtoPosition position, string message) => all.Add(new ProtoFault(file, position, message, ProtoFaultSeverity.Warning));
}
