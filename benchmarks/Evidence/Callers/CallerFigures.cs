namespace Evidence.Callers;

/// <param name="Rate">Calls per second.</param>
/// <param name="CallsPerSend">Calls that share a send of the client.</param>
/// <param name="P50">Microseconds from the call to its caller's going on.</param>
/// <param name="P99">Likewise.</param>
internal sealed record CallerFigures(double Rate, double CallsPerSend, double P50, double P99);
