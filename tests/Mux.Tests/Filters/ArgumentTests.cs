using Mux.Filters;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Filters;

/// <summary>Filters that read and replace single arguments.</summary>
public sealed class ArgumentTests : EndToEndTests
{
    private static readonly Guid s_id = Guid.Parse("6f9619ff-8b86-d011-b42d-00c04fc964ff");

    public static TheoryData<MuxCallSide> Sides => [MuxCallSide.Server, MuxCallSide.Client];

    [Theory(Timeout = TestLimit), MemberData(nameof(Sides))]
    public async Task A_filter_reads_each_argument_by_its_name_and_type(MuxCallSide side)
    {
        var seen = new List<object?>();
        var sut = Start(side, call =>
        {
            seen.AddRange(call.ArgumentNames);
            if (call.TryGetArgument("left", out string? left)) seen.Add(left);
            if (call.TryGetArgument("operator", out int number)) seen.Add(number);
            if (call.TryGetArgument("operator", out object? boxed)) seen.Add(boxed);
            if (call.TryGetArgument("order", out PlacedOrder? order)) seen.Add(order.Quantity);
            if (call.TryGetArgument("id", out Guid? id)) seen.Add(id);
            if (call.TryGetArgument("left", out Guid _) || call.TryGetArgument("LEFT", out string? _) || call.TryGetArgument("operator", out long _)) seen.Add("wrong");
        });
        Assert.Equal("a 3 5 " + s_id, await sut.Join("a", 3, new PlacedOrder { Quantity = 5 }, s_id).AsTask().Within("the call"));
        Assert.Equal(["left", "operator", "order", "id", "a", 3, 3, 5, s_id], seen);
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Sides))]
    public async Task Arguments_that_are_null_are_not_found(MuxCallSide side)
    {
        bool found = true;
        var sut = Start(side, call => found = call.TryGetArgument("order", out PlacedOrder? _) | call.TryGetArgument("id", out Guid? _) | call.TryGetArgument("id", out object? _));
        Assert.Equal("a 3  ", await sut.Join("a", 3, null, null).AsTask().Within("the call"));
        Assert.False(found);
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Sides))]
    public async Task A_filter_replaces_each_argument(MuxCallSide side)
    {
        var sut = Start(side, call =>
        {
            if (call.ArgumentNames is ["text"])
            {
                call.SetArgument("text", "new");
                return;
            }

            call.SetArgument("left", "b");
            call.SetArgument("operator", 4);
            call.SetArgument<object>("order", new PlacedOrder { Quantity = 6 });
            call.SetArgument<Guid?>("id", null);
        });
        Assert.Equal("b 4 6 ", await sut.Join("a", 3, null, s_id).AsTask().Within("the call of several"));
        Assert.Equal("new", await sut.Echo("old").AsTask().Within("the call of one"));
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Sides))]
    public async Task Arguments_beside_a_stream_are_found_and_a_method_without_has_none(MuxCallSide side)
    {
        var names = new List<string>();
        var sut = Start(side, call => names.Add(string.Join(",", call.ArgumentNames)));
        Assert.Equal("6 m", await sut.Sum(1, "m", new[] { 2, 3 }.ToAsyncEnumerable()).AsTask().Within("the stream"));
        Assert.Equal("none", await sut.None().AsTask().Within("the call"));
        Assert.Equal(["first,unit", string.Empty], names);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Wrong_names_and_types_are_refused_with_what_is_right()
    {
        var texts = new List<string>();
        var sut = Start(MuxCallSide.Client, call =>
        {
            texts.Add(Assert.Throws<InvalidOperationException>(() => call.SetArgument("right", "x")).Message);
            texts.Add(Assert.Throws<InvalidOperationException>(() => call.SetArgument("operator", "x")).Message);
            texts.Add(Assert.Throws<InvalidOperationException>(() => call.SetArgument("order", "x")).Message);
            Assert.Throws<ArgumentNullException>(() => call.SetArgument(null!, "x"));
            Assert.Throws<ArgumentNullException>(() => call.TryGetArgument(null!, out string? _));
        });
        await sut.Join("a", 3, null, null).AsTask().Within("the call");
        Assert.Equal(
            [
                "t.Arguments/Join has no parameter 'right'. It has: left, operator, order, id.",
                "The parameter 'operator' of t.Arguments/Join takes no System.String: its type is System.Int32.",
                $"The parameter 'order' of t.Arguments/Join takes no System.String: its type is {typeof(PlacedOrder)}.",
            ],
            texts);
    }

    [Fact(Timeout = TestLimit)]
    public async Task An_argument_is_not_replaced_when_the_handler_has_started()
    {
        string? text = null;
        var late = new FilterOf(async (call, next) =>
        {
            await next.RunAsync(call);
            text = Assert.Throws<InvalidOperationException>(() => call.SetArgument("text", "late")).Message;
        });
        var sut = FilterScene.Start<IArguments>(Begin(TransportKind.InMemory), new Service(), [late], []);
        await sut.Echo("a").AsTask().Within("the call");
        Assert.Contains("has started", text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_validation_filter_checks_each_of_several_messages_and_names_its_parameter()
    {
        var sut = FilterScene.Start<IArguments>(Begin(TransportKind.InMemory), new Service(), [new MuxValidationFilter()], []);
        var error = await Assert.ThrowsAsync<MuxException>(() => sut.Join("a", 3, new PlacedOrder { Quantity = 10, Name = "n" }, null).AsTask());
        Assert.Equal((MuxStatus.InvalidArgument, MuxExecution.NotExecuted), (error.Status, error.Execution));
        Assert.Contains("The request is not valid: order.Quantity: 1 to 9", error.Message, StringComparison.Ordinal);
        Assert.Equal("a 3 9 ", await sut.Join("a", 3, new PlacedOrder { Quantity = 9, Name = "n" }, null).AsTask().Within("the call"));
    }

    private IArguments Start(MuxCallSide side, Action<MuxCall> look)
    {
        var filter = new FilterOf((call, next) =>
        {
            look(call);
            return next.RunAsync(call);
        });
        MuxFilter[] none = [], one = [filter];
        return FilterScene.Start<IArguments>(
            Begin(TransportKind.InMemory), new Service(), side == MuxCallSide.Server ? one : none, side == MuxCallSide.Client ? one : none);
    }

    private sealed class Service : IArguments
    {
        public ValueTask<string> Join(string left, int @operator, PlacedOrder? order, Guid? id) => new($"{left} {@operator} {order?.Quantity} {id}");

        public ValueTask<string> Echo(string text) => new(text);

        public ValueTask<string> None() => new("none");

        public async ValueTask<string> Sum(int first, string unit, IAsyncEnumerable<int> items) => $"{first + await items.SumAsync()} {unit}";
    }
}
