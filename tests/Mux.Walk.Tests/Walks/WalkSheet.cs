using System.Globalization;
using System.Text;

namespace Mux.Walk.Tests.Walks;

/// <summary>The text of walk.txt: a line for each play with its figures.</summary>
internal sealed class WalkSheet
{
    private const string Head = """
        # How much of the engine a reader passes on the way of one call, in a Release build: see WalkTests.
        # Figures may only fall. After a change that lowered one:
        #   MUX_REWRITE_WALK=1 dotnet test tests/Mux.Walk.Tests -c Release
        # To read a walk, file by file: MUX_WALK_PAGES=FOLDER instead, which writes a page for each line.

        """;

    private readonly SortedDictionary<string, WalkFigures> _lines = new(StringComparer.Ordinal);

    public WalkFigures? this[string play]
    {
        get => _lines.GetValueOrDefault(play);
        set => _lines[play] = value ?? throw new ArgumentNullException(nameof(value));
    }

    public static WalkSheet Parse(string text)
    {
        var sheet = new WalkSheet();
        foreach (var line in text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Where(line => line[0] != '#'))
        {
            var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            int[] figures = [.. WalkFigures.Names.Select(name => ReadFigure(words[Array.IndexOf(words, name) - 1]))];
            sheet[words[0]] = new(figures[0], figures[1], figures[2], figures[3], figures[4]);
        }

        return sheet;
    }

    public override string ToString()
    {
        var text = new StringBuilder(Head);
        foreach (var (play, figures) in _lines)
        {
            text.Append(CultureInfo.InvariantCulture, $"{play,-24}");
            foreach (var (figure, name) in figures.ToArray().Zip(WalkFigures.Names))
            {
                text.Append(CultureInfo.InvariantCulture, $"{figure,6} {name}");
            }

            text.Append('\n');
        }

        return text.ToString();
    }

    private static int ReadFigure(string figure) => int.Parse(figure, NumberStyles.None, CultureInfo.InvariantCulture);
}
