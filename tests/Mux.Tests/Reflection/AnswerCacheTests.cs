using Mux.Reflection;

namespace Mux.Tests.Reflection;

/// <summary>Which answers a server keeps.</summary>
public sealed class AnswerCacheTests
{
    private readonly AnswerCache _sut = new(3);
    private readonly List<string> _made = [];

    [Fact]
    public void An_answer_is_made_once()
    {
        Assert.Same(Ask("a"), Ask("a"));
        Assert.Equal(["a"], _made);
    }

    [Fact]
    public void The_answer_that_was_asked_for_least_recently_gives_way()
    {
        foreach (var key in new[] { "a", "b", "c", "a", "d", "a", "c", "d", "b" }) Ask(key);
        Assert.Equal(["a", "b", "c", "d", "b"], _made);
        Assert.Equal(3, _sut.Count);
    }

    [Fact]
    public void An_answer_that_cannot_be_made_is_not_kept()
    {
        Assert.Throws<InvalidOperationException>(() => _sut.GetOrAdd("a", static () => throw new InvalidOperationException()));
        Assert.Equal(0, _sut.Count);
        Ask("a");
        Assert.Equal(1, _sut.Count);
    }

    [Fact]
    public void Answers_that_are_made_at_the_same_time_are_kept_once()
    {
        var outer = _sut.GetOrAdd("a", () => [.. Ask("a")]);
        Assert.Equal(1, _sut.Count);
        Assert.Same(outer, Ask("a"));
    }

    private byte[] Ask(string key) => _sut.GetOrAdd(key, () =>
    {
        _made.Add(key);
        return [1];
    });
}
