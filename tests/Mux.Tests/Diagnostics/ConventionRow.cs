using System.Diagnostics;

namespace Mux.Tests.Diagnostics;

/// <summary>One attribute in a table of the convention.</summary>
/// <param name="Key">Its name.</param>
/// <param name="Level">How much the convention wants it.</param>
/// <param name="Type">The type of its values.</param>
/// <param name="IsDue">Whether a call has it, where that depends on the call.</param>
internal sealed record ConventionRow(string Key, ConventionLevel Level, Type Type, Func<ObservedCall, bool>? IsDue = null)
{
    /// <summary>Whether a span or measurement of this call must have it; if not, it must not.</summary>
    public bool IsExpected(ObservedCall call) => Level switch
    {
        ConventionLevel.Required => true,
        ConventionLevel.OptIn => false, // nothing here turns it on
        _ => IsDue!(call),
    };
}

/// <summary>The requirement levels of the convention, and one for what is Mux's own.</summary>
internal enum ConventionLevel
{
    Required,
    ConditionallyRequired,
    Recommended,
    OptIn,
    Own,
}

/// <summary>What was called, and from where it is seen.</summary>
/// <param name="Side">The side.</param>
/// <param name="Status">Status of the call, in the words of gRPC.</param>
/// <param name="HasPorts">Whether both ends of the connection have addresses with ports; otherwise the client has none, and the server's is a path.</param>
/// <param name="IsKnown">Whether the server has the method.</param>
internal sealed record ObservedCall(ActivityKind Side, string Status, bool HasPorts, bool IsKnown)
{
    private static readonly string[] s_serverErrors = ["UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"];

    /// <summary>By the convention for gRPC: at the client all but OK, at the server the six with which it failed.</summary>
    public bool IsError => Side == ActivityKind.Client ? Status != "OK" : s_serverErrors.Contains(Status);
}
