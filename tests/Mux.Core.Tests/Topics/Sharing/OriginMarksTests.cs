using Mux.Push;

namespace Mux.Core.Tests.Topics.Sharing;

/// <summary>How far a topic has got with each server.</summary>
public sealed class OriginMarksTests
{
    [Fact]
    public void An_item_is_taken_once_and_none_before_it()
    {
        var sut = new OriginMarks();
        Assert.True(sut.TryAdvance(1, 5));
        Assert.False(sut.TryAdvance(1, 5));
        Assert.False(sut.TryAdvance(1, 4));
        Assert.True(sut.TryAdvance(2, 4));
        Assert.True(sut.TryAdvance(1, 7));
    }

    [Fact]
    public void The_server_that_was_silent_for_longest_is_forgotten()
    {
        var sut = new OriginMarks();
        for (ulong origin = 1; origin <= 256; origin++) sut.TryAdvance(origin, 10);
        sut.TryAdvance(1, 11);
        Assert.True(sut.TryAdvance(1_000, 1));
        Assert.False(sut.TryAdvance(1, 11));
        Assert.True(sut.TryAdvance(2, 10));
    }
}
