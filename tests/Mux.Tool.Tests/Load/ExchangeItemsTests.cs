using Mux.Tool.Load;

namespace Mux.Tool.Tests.Load;

public sealed class ExchangeItemsTests
{
    private int _made;

    [Fact]
    public async Task As_many_are_made_as_may_be_on_their_way()
    {
        var sut = Items(2);

        Assert.True(await sut.MoveNextAsync());
        Assert.True(await sut.MoveNextAsync());
        var third = sut.MoveNextAsync();

        Assert.False(third.IsCompleted);
        sut.OnAnswer();
        Assert.True(third.IsCompleted);
        Assert.True(await third);
        Assert.Equal("3", sut.Current);
    }

    [Fact]
    public async Task The_place_of_one_that_is_back_goes_to_one_and_not_to_two()
    {
        var sut = Items(1);
        Assert.True(await sut.MoveNextAsync());
        var second = sut.MoveNextAsync();
        sut.OnAnswer();
        Assert.True(await second);

        var third = sut.MoveNextAsync();

        Assert.False(third.IsCompleted);
        sut.OnAnswer();
        Assert.True(await third);
    }

    [Fact]
    public async Task The_sender_that_waits_goes_on_when_a_quarter_is_back()
    {
        var sut = Items(8);
        for (int i = 0; i < 8; i++) Assert.True(await sut.MoveNextAsync());
        var ninth = sut.MoveNextAsync();

        sut.OnAnswer();
        Assert.False(ninth.IsCompleted);
        sut.OnAnswer();

        Assert.True(await ninth);
        Assert.True(await sut.MoveNextAsync());
        var eleventh = sut.MoveNextAsync();
        Assert.False(eleventh.IsCompleted);
        Assert.Equal(10, _made);
    }

    [Fact]
    public async Task At_the_end_a_sender_that_waits_is_sent_away_and_makes_no_other_item()
    {
        var sut = Items(1);
        Assert.True(await sut.MoveNextAsync());
        var second = sut.MoveNextAsync();

        sut.End();

        Assert.False(await second);
        Assert.False(await sut.MoveNextAsync());
        Assert.Equal(1, _made);
    }

    [Fact]
    public async Task Answers_and_items_of_two_threads_lose_no_place()
    {
        const int count = 20_000;
        var sut = Items(3);
        using var answers = new SemaphoreSlim(0);
        var reader = Task.Run(async () =>
        {
            for (int i = 0; i < count; i++)
            {
                Assert.True(await answers.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken), "an item was not made within 30 s");
                sut.OnAnswer();
            }
        }, TestContext.Current.CancellationToken);

        for (int i = 0; i < count; i++)
        {
            Assert.True(await sut.MoveNextAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
            answers.Release();
        }

        await reader;
        Assert.Equal(count, _made);
    }

    private ExchangeItems<string> Items(int size) => new(size, () => $"{++_made}");
}
