using System.Text;
using Mux.Contracts;
using Mux.Services;
using Mux.Sessions.Incoming;

namespace Mux.Core.Tests.Services;

public sealed class MethodTableTests
{
    private readonly MethodTable _sut = new([]);

    [Fact]
    public void An_unknown_name_is_resolved_to_the_same_answer_each_time() => Assert.Same(Resolve("shop.Orders/Get"), Resolve("shop.Orders/Get"));

    [Fact]
    public void Of_made_up_names_only_the_first_are_kept()
    {
        var kept = Enumerable.Range(0, UnknownMethods.Limit).Select(number => Resolve($"made.Up/M{number}")).ToHashSet();
        Assert.Equal(UnknownMethods.Limit, kept.Count);
        Assert.DoesNotContain(UnknownMethod.Instance, kept);
        Assert.Same(UnknownMethod.Instance, Resolve("made.Up/OneMore"));
        Assert.Contains(Resolve("made.Up/M0"), kept);
    }

    private InboundMethod Resolve(string name) => _sut.Resolve(Encoding.UTF8.GetBytes(name), MethodShape.Unary);
}
