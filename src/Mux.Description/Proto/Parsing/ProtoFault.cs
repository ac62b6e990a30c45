namespace Mux.Description.Proto.Parsing;

/// <summary>A mistake in a file.</summary>
/// <param name="File">The path by which the file was asked for.</param>
/// <param name="Position">Where it is; line 0 if it concerns the whole file.</param>
/// <param name="Message">What is wrong, and what is allowed.</param>
/// <param name="Severity">Whether the file is read nevertheless.</param>
internal sealed record ProtoFault(string File, ProtoPosition Position, string Message, ProtoFaultSeverity Severity)
{
    public override string ToString() =>
        Position.Line == 0 ? $"{File}: {Message}" : FormattableString.Invariant($"{File}({Position.Line},{Position.Column}): {Message}");
}
