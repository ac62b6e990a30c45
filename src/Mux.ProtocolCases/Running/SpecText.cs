using Mux.Protocol;
using Mux.ProtocolCases.Cases;

namespace Mux.ProtocolCases.Running;

/// <summary>Describes the input and the required reaction of a case.</summary>
internal static class SpecText
{
    private const int ShownBytes = 16;

    public static string Sent(byte[] bytes)
    {
        var shown = Convert.ToHexStringLower(bytes.AsSpan(0, Math.Min(ShownBytes, bytes.Length)));
        return $"{bytes.Length} bytes: {shown}{(bytes.Length > ShownBytes ? ".." : "")}";
    }

    public static string Expected(BadInputCase badInput)
    {
        var reaction = badInput.Reaction;
        if (reaction.Code is { } code) return $"GOAWAY {code}, closed";
        if (reaction.End is not null) return "closed without a byte";
        return reaction.Answers.Length == 0 ? "no answer, stays open" : $"{string.Join(", ", reaction.Answers.Select(Describe))}, stays open";
    }

    private static string Describe(Answer answer) => answer.Kind switch
    {
        FrameKind.Fail => $"FAIL {answer.Status}",
        FrameKind.Response or FrameKind.Cancel => answer.Kind.ToString().ToUpperInvariant(),
        _ => $"answer to {answer.Kind.ToString().ToUpperInvariant()}",
    };
}
