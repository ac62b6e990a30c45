namespace Mux.Description.Proto.Parsing;

/// <summary>What a fault means for the files.</summary>
internal enum ProtoFaultSeverity
{
    /// <summary>The files are read without what the fault is about.</summary>
    Warning,

    /// <summary>The files are not read.</summary>
    Error,
}
