namespace Mux.Tool.Workloads;

/// <summary>What a run counts.</summary>
/// <param name="One">Its name.</param>
internal sealed record CountedUnit(string One)
{
    public static CountedUnit Call { get; } = new("call");

    public static CountedUnit Item { get; } = new("item");

    /// <summary>An item sent and the item that came back for it.</summary>
    public static CountedUnit Pair { get; } = new("pair");

    public string Many => One + "s";

    /// <summary>A text about calls as one about these.</summary>
    public string In(string text) => text.Replace(Call.One, One, StringComparison.Ordinal);

    /// <summary>The unit of a result file; those that name none are from when everything was a call.</summary>
    public static CountedUnit Named(string? many) => many is null ? Call : new(many.TrimEnd('s'));
}
