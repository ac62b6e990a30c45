using Mux.Runtime;

namespace Mux.Core.Tests.Transports.Epoll;

public sealed class RegistrationsTests
{
    private readonly Registrations _sut = new();

    [Fact]
    public void A_number_finds_its_source_until_it_is_removed()
    {
        var sources = Enumerable.Range(0, 100).Select(_ => new Source()).ToList();
        var numbers = sources.ConvertAll(_sut.Add);
        Assert.Equal(sources, numbers.Select(_sut.Find));
        _sut.Remove(numbers[50]);
        Assert.Null(_sut.Find(numbers[50]));
        Assert.Same(sources[49], _sut.Find(numbers[49]));
        Assert.Equal(99, _sut.Count);
    }

    [Fact]
    public void An_event_of_a_removed_source_is_not_taken_for_one_of_its_successor_in_the_same_place()
    {
        ulong old = _sut.Add(new Source());
        _sut.Remove(old);
        var successor = new Source();
        ulong number = _sut.Add(successor);
        Assert.Equal((uint)old, (uint)number);
        Assert.Null(_sut.Find(old));
        _sut.Remove(old); // too late for this one as well
        Assert.Same(successor, _sut.Find(number));
    }

    [Fact]
    public void A_number_that_was_never_given_finds_nothing()
    {
        Assert.Null(_sut.Find(0));
        Assert.Null(_sut.Find(ulong.MaxValue));
        _sut.Add(new Source());
        Assert.Null(_sut.Find(7));
    }

    private sealed class Source : ILoopSource
    {
        public ulong Registration { get; set; }

        public bool OnEvents(uint flags) => true;

        public void OnCommand(LoopCommand command)
        {
        }

        public void OnFault(Exception error)
        {
        }
    }
}
