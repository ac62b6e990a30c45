using System.Collections.Concurrent;
using System.Text;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Services;

public sealed class MethodTableTests
{
    private readonly MethodTable _sut = new([]);

    [Fact]
    public void An_unknown_name_is_resolved_to_the_same_answer_each_time() => Assert.Same(Resolve("shop.Orders/Get"), Resolve("shop.Orders/Get"));

    [Fact]
    public void Of_made_up_names_only_the_last_are_kept_and_the_next_one_is_explained_all_the_same()
    {
        var kept = Enumerable.Range(0, UnknownMethods.Limit).Select(number => Resolve($"made.Up/M{number}")).ToList();
        Assert.Equal(UnknownMethods.Limit, kept.Distinct().Count());
        var next = Resolve("shop.Orders/Get");
        Assert.Equal("The server does not serve 'shop.Orders'; was AddService called?", next.Absence);
        Assert.Same(next, Resolve("shop.Orders/Get"));
        Assert.Same(kept[1], Resolve("made.Up/M1"));
        Assert.Equal("The server does not serve 'made.Up'; was AddService called?", kept[1].Absence);
        Assert.Equal(UnknownMethod.Instance.Absence, kept[0].Absence); // a connection may hold it: it has forgotten its name
        Assert.NotSame(kept[0], Resolve("made.Up/M0"));
    }

    [Fact]
    public void A_method_that_is_defined_with_another_shape_has_one_answer_for_each_shape_however_often_and_by_whomever()
    {
        var served = new ProbeMethods().Add("shop.Orders/Get");
        var sut = new MethodTable([served]);
        var shapes = Enumerable.Range(0, 8).Select(static shape => (MethodShape)shape).ToArray();
        var answers = new ConcurrentDictionary<(MethodShape, InboundMethod), bool>();

        Parallel.For(0, 4_096, number =>
        {
            var shape = shapes[number % shapes.Length];
            answers[(shape, sut.Resolve("shop.Orders/Get"u8, shape))] = true;
        });

        var methods = answers.Keys.OrderBy(static answer => answer.Item1).Select(static answer => answer.Item2).ToArray();
        Assert.Equal(shapes.Length, methods.Length);
        Assert.Same(served, methods[0]);
        Assert.All(methods[1..], static method => Assert.False(method.IsServed));
        Assert.Equal("shop.Orders/Get is Unary here and was called as OneWay: the contracts differ.", methods[(int)MethodShape.OneWay].Absence);
    }

    private InboundMethod Resolve(string name) => _sut.Resolve(Encoding.UTF8.GetBytes(name), MethodShape.Unary);
}
