namespace Mux.Tool.Chaos;

/// <summary>A range of positions in a stream, of which a connection draws one.</summary>
/// <param name="First">The first position, from 0.</param>
/// <param name="Last">The last position, at least <paramref name="First"/>.</param>
internal readonly record struct ByteRange(long First, long Last)
{
    /// <param name="draw">From 0 to less than 1.</param>
    /// <returns>A position; each of the range is as likely as the others.</returns>
    public long At(double draw) => First + (long)((Last - First + 1) * draw);

    public override string ToString() => First == Last ? $"{First}" : $"{First}-{Last}";
}
