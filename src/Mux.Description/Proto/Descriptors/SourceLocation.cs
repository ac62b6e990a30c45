using Mux.Description.Reading;

namespace Mux.Description.Proto.Descriptors;

/// <summary>A place of a file, with the comments before it.</summary>
internal sealed class SourceLocation
{
    /// <summary>Fields of SourceCodeInfo and of its locations.</summary>
    public const int LocationField = 1, PathField = 1, SpanField = 2, LeadingField = 3, DetachedField = 6;

    private const int MaxPath = (DescriptionLimits.Depth * 2) + 4; // longer ones lead to no element of the model

    private SourceLocation()
    {
    }

    /// <summary>Gets the fields and indexes that lead to the element, from the file; null if there are too many.</summary>
    public List<int>? Path { get; private set; } = [];

    /// <summary>Gets line and column, which begin at 0.</summary>
    public (int Line, int Column) Start { get; private set; } = (int.MaxValue, int.MaxValue);

    /// <summary>Gets the comment that belongs to the element; null for none.</summary>
    public string? Leading { get; private set; }

    /// <summary>Gets the comments before that one.</summary>
    public List<string> Detached { get; } = [];

    public static SourceLocation Read(ReadOnlySpan<byte> bytes, string place)
    {
        var location = new SourceLocation();
        var span = new List<int>();
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            switch (reader.Field)
            {
                case PathField: location.AddPath(ref reader); break;
                case SpanField: reader.AddNumbers(span, limit: 4); break;
                case LeadingField: location.Leading = reader.Text(); break;
                case DetachedField: location.Detached.Add(reader.Text()); break;
            }
        }

        if (span.Count >= 3) location.Start = (span[0], span[1]);
        return location;
    }

    private void AddPath(ref WireReader reader)
    {
        if (Path is not null && !reader.AddNumbers(Path, MaxPath)) Path = null;
    }
}
