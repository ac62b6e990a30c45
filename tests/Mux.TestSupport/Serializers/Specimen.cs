using System.Globalization;
using System.Text;

namespace Mux.TestSupport.Serializers;

/// <summary>One of everything that every serializer of messages must carry. Each suite has a message of its own with these members, for its serializer.</summary>
public sealed class Specimen
{
    public long Number { get; set; }

    public double Real { get; set; }

    public bool Flag { get; set; }

    public string Text { get; set; } = "";

    public byte[] Bytes { get; set; } = [];

    public Grade Grade { get; set; }

    public List<int> Numbers { get; set; } = [];

    public List<string> Words { get; set; } = [];

    public Specimen? Inner { get; set; }

    public List<Specimen> Items { get; set; } = [];

    public int? Maybe { get; set; }

    /// <summary>All members, for comparison.</summary>
    public override string ToString()
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"{Number} {BitConverter.DoubleToInt64Bits(Real):x} {Flag} '{Text}' {Convert.ToHexString(Bytes)} {Grade} {string.Join('+', Numbers)} {string.Join('+', Words)} {Maybe}");
        if (Inner is not null) text.Append($" inner {{{Inner}}}");
        foreach (var item in Items) text.Append($" item {{{item}}}");
        return text.ToString();
    }
}
