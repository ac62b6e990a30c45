namespace Mux.Walk.Tests.Walks;

public sealed class WalkSheetTests
{
    [Fact]
    public void A_sheet_is_read_as_it_was_written()
    {
        var figures = new WalkFigures(126, 510, 1185, 130, 30);
        var sheet = new WalkSheet { ["call"] = figures };

        Assert.Equal(figures, WalkSheet.Parse(sheet.ToString())["call"]);
        Assert.Null(WalkSheet.Parse(sheet.ToString())["another"]);
    }

    [Fact]
    public void A_figure_that_rises_is_named_and_one_that_falls_is_none_of_them()
    {
        var before = new WalkFigures(126, 510, 1185, 130, 30);
        var after = new WalkFigures(127, 500, 1185, 130, 30);

        Assert.Equal(["files 127, at most 126"], after.Above(before));
        Assert.Equal(["methods 500, written is 510"], after.Below(before));
    }
}
