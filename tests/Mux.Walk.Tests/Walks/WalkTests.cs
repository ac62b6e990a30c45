using Mux.TestSupport.Sources;
using Mux.Walk.Tests.Plays;

namespace Mux.Walk.Tests.Walks;

/// <summary>
/// The way of a call through the engine may only become shorter. Counted are the methods of Mux.Core and
/// Mux.Abstractions, those of the compiler included, that all sides enter for one steady call: from its start until the
/// same point of the next one.
/// </summary>
public sealed class WalkTests(WovenEngine engine, ITestOutputHelper output) : IClassFixture<WovenEngine>
{
    private const string Sheet = "tests/Mux.Walk.Tests/walk.txt";

    public static TheoryData<string> Plays => [.. Play.Names];

    [Theory]
    [MemberData(nameof(Plays))]
    public void A_walk_is_not_longer_than_it_was(string play)
    {
        Assert.SkipUnless(IsRelease, "The figures are those of Release, which has no assertions.");
        var walk = engine.Perform(play);
        var sheet = WalkSheet.Parse(SourceTree.Read(Sheet));
        output.WriteLine($"{play}: {walk.Figures}. Entries of all times: {walk.Spread}.");
        if (Environment.GetEnvironmentVariable("MUX_WALK_PAGES") is { Length: > 0 } folder) WritePage(walk, folder);

        var limit = sheet[play] ?? walk.Figures;
        var rises = walk.Figures.Above(limit).ToList();
        Assert.True(rises.Count == 0, $"Longer: {string.Join("; ", rises)}. MUX_WALK_PAGES=FOLDER shows the walk.");
        if (Environment.GetEnvironmentVariable("MUX_REWRITE_WALK") == "1")
        {
            Rewrite(sheet, walk);
            return;
        }

        Assert.True(sheet[play] is not null, $"{Sheet} has no line for {play}: MUX_REWRITE_WALK=1 writes it.");
        var falls = walk.Figures.Below(limit).ToList();
        if (falls.Count > 0) output.WriteLine($"Shorter: {string.Join("; ", falls)}. MUX_REWRITE_WALK=1 writes it.");
    }

    private static bool IsRelease =>
#if DEBUG
        false;
#else
        true;
#endif

    private static void Rewrite(WalkSheet sheet, RecordedWalk walk)
    {
        sheet[walk.Play] = walk.Figures;
        File.WriteAllText(Path.Combine(SourceTree.Root, Sheet), sheet.ToString());
    }

    private static void WritePage(RecordedWalk walk, string folder)
    {
        Directory.CreateDirectory(folder);
        File.WriteAllText(Path.Combine(folder, walk.Play + ".html"), WalkPage.Of(walk));
    }
}
