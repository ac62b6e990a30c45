namespace Mux.Tool.Workloads;

/// <summary>Unit that a run counts.</summary>
/// <param name="One">Singular name.</param>
internal sealed record CountedUnit(string One)
{
    public static CountedUnit Call { get; } = new("call");

    public static CountedUnit Item { get; } = new("item");

    /// <summary>A sent item and the item returned for it.</summary>
    public static CountedUnit Pair { get; } = new("pair");

    public string Many => One + "s";

    /// <summary>Converts a text about calls to one about this unit.</summary>
    public string In(string text) => text.Replace(Call.One, One, StringComparison.Ordinal);

    /// <summary>Gets the unit of a result file; files without one are from when everything was a call.</summary>
    public static CountedUnit Named(string? many) => many is null ? Call : new(many.TrimEnd('s'));
}
