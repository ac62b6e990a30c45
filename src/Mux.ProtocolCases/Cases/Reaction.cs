using Mux.Sessions.Lifecycle;
using Mux.Wire;

namespace Mux.ProtocolCases.Cases;

/// <summary>What bad input leads to.</summary>
/// <param name="End">Why the connection ends, or null: it lives.</param>
/// <param name="Code">What its GOAWAY says, or null: it says nothing.</param>
/// <param name="Answers">Frames that answer it on a connection that lives.</param>
internal sealed record Reaction(CloseReason? End, ConnectionCode? Code, Answer[] Answers)
{
    /// <summary>Words that the reason must contain, for whoever reads the log.</summary>
    public string[] Says { get; init; } = [];

    /// <summary>All that the peer is told, where that is less than the log says.</summary>
    public string? Tells { get; init; }

    /// <summary>The connection lives and says nothing.</summary>
    public static Reaction Nothing { get; } = new(null, null, []);

    /// <summary>The connection ends without a byte: what is there does not speak this protocol.</summary>
    public static Reaction Silence { get; } = new(CloseReason.NotMux, null, []);

    /// <summary>The connection ends with GOAWAY.</summary>
    public static Reaction GoAway(ConnectionCode code, params string[] says) => new(ConnectionEnd.ReasonOf(code), code, []) { Says = says };

    /// <summary>The connection lives and answers.</summary>
    public static Reaction Answered(params Answer[] answers) => new(null, null, answers);
}
