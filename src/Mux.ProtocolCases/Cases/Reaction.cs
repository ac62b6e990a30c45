using Mux.Engine;
using Mux.Protocol;

namespace Mux.ProtocolCases.Cases;

/// <summary>Required reaction to bad input.</summary>
/// <param name="End">Reason for the end of the connection; null if it stays open.</param>
/// <param name="Code">Code of its GOAWAY; null if it sends none.</param>
/// <param name="Answers">Frames that answer it on a connection that stays open.</param>
internal sealed record Reaction(CloseReason? End, ConnectionCode? Code, Answer[] Answers)
{
    /// <summary>Words that the logged reason must contain.</summary>
    public string[] Says { get; init; } = [];

    /// <summary>Full text for the peer, if it is less than the log says.</summary>
    public string? Tells { get; init; }

    /// <summary>The connection stays open and sends nothing.</summary>
    public static Reaction Nothing { get; } = new(null, null, []);

    /// <summary>The connection is closed without a byte: the peer does not speak this protocol.</summary>
    public static Reaction Silence { get; } = new(CloseReason.NotMux, null, []);

    /// <summary>The connection ends with GOAWAY.</summary>
    public static Reaction GoAway(ConnectionCode code, params string[] says) => new(ConnectionEnd.ReasonOf(code), code, []) { Says = says };

    /// <summary>The connection stays open and answers.</summary>
    public static Reaction Answered(params Answer[] answers) => new(null, null, answers);
}
