namespace Mux.ProtocolCases.Running;

/// <summary>
/// Frames received while another one was awaited, for the author of a peer: a call in another slot explains why the awaited one never arrived. Not thread-safe.
/// </summary>
internal sealed class MeanwhileFrames
{
    private const int Shown = 4;

    private readonly List<SpecFrame> _frames = [];

    public void Clear() => _frames.Clear();

    public void Add(SpecFrame frame) => _frames.Add(frame);

    /// <summary>Empty if nothing came.</summary>
    public override string ToString() => _frames.Count == 0 ? string.Empty
        : $"; meanwhile got {string.Join(", ", _frames.Take(Shown).Select(Describe))}{(_frames.Count > Shown ? $" and {_frames.Count - Shown} more" : "")}";

    private static string Describe(SpecFrame frame) => frame.Id.Slot == 0 ? $"{frame}" : $"{frame} in slot {frame.Id.Slot}, generation {frame.Id.Generation}";
}
