namespace Evidence.Stalls;

/// <summary>A call of an open loop that has its reply.</summary>
/// <param name="Due">When it was to start, milliseconds since the begin.</param>
/// <param name="Took">Milliseconds from then to its reply.</param>
/// <param name="Server">Who answered.</param>
internal readonly record struct ServedCall(double Due, double Took, int Server);
