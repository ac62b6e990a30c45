using Mux.Tests.EndToEnd;
using Mux.Tests.Versions.After;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.Versions;

/// <summary>Both sides were built against different versions of a contract: what still means the same goes on, and what does not fails its call alone.</summary>
public sealed class TwoVersionsTests : EndToEndTests
{
    private static readonly Order s_new = new() { Id = 1, Customer = "Ada", Quantity = 3, Note = "soon", Discount = 0.1 };

    private const string Differ = "The two sides were built against different contracts: ";

    private readonly Before.Orders _before = new();
    private readonly Orders _after = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Fields_that_were_added_and_removed_are_passed_over_and_left_as_they_are_made(TransportKind kind)
    {
        var back = await Old(kind).Place(new Before.Order { Id = 1, Customer = "Ada", Coupon = "X", Quantity = 3 });
        var seen = Assert.Single(_after.Placed);
        Assert.Equal((1, "Ada", 3L, "none", null), (seen.Id, seen.Customer, seen.Quantity, seen.Note, seen.Discount));
        Assert.Equal((1, "Ada", null, 3), (back.Id, back.Customer, back.Coupon, back.Quantity));

        var returned = await New(kind).Place(s_new);
        var old = Assert.Single(_before.Placed);
        Assert.Equal((1, "Ada", null, 3), (old.Id, old.Customer, old.Coupon, old.Quantity));
        Assert.Equal((1, "Ada", 3L, "none", null), (returned.Id, returned.Customer, returned.Quantity, returned.Note, returned.Discount));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Items_of_streams_are_passed_on_with_the_fields_that_both_know(TransportKind kind)
    {
        var old = await Old(kind).List(Twice(new Before.Order { Id = 2, Coupon = "X" })).ToListAsync(TestContext.Current.CancellationToken);
        var after = await New(kind).List(Twice(s_new)).ToListAsync(TestContext.Current.CancellationToken);
        Assert.All(old, static order => Assert.Equal((2, null), (order.Id, order.Coupon)));
        Assert.All(after, static order => Assert.Equal((1, "none"), (order.Id, order.Note)));
        Assert.Equal((2, 2), (old.Count, after.Count));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Parameters_that_were_added_are_zero_or_null_for_an_old_caller_and_passed_over_by_an_old_server(TransportKind kind)
    {
        var found = await Old(kind).Find("Ada");
        Assert.Equal(("Ada", 0, null), (found.Customer, found.Quantity, found.Coupon));
        var order = await New(kind).Find("Ada", 2026, "Paris");
        Assert.Equal(("Ada", 1L, "none"), (order.Customer, order.Quantity, order.Note));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Inherited_methods_are_as_compatible_as_own_ones(TransportKind kind)
    {
        Assert.Equal(4, await Old(kind).Count("bolt"));
        var sut = New(kind);
        Assert.Equal(4, await sut.Count("bolt", 7));
        await AssertUnimplementedAsync(sut.Reserve("bolt").AsTask(), "'Reserve'");
        await AssertUnimplementedAsync(sut.GiveBack(1).AsTask(), "'GiveBack'");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Methods_that_were_added_and_removed_are_unimplemented(TransportKind kind)
    {
        var old = Old(kind);
        await AssertUnimplementedAsync(old.Retire(1).AsTask(), "'Retire'");
        Assert.Equal(1, (await old.Place(new Before.Order { Id = 1 })).Id);
        var after = New(kind);
        await AssertUnimplementedAsync(after.Cancel(1).AsTask(), "'Cancel'");
        Assert.Equal(1, (await after.Place(s_new)).Id);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_wider_number_is_read_as_long_as_it_fits(TransportKind kind)
    {
        var sut = New(kind);
        Assert.Equal(int.MinValue, (await sut.Place(new Order { Quantity = int.MinValue })).Quantity);
        var error = await sut.Place(new Order { Quantity = 1L << 40 }).AsTask().FailsAsync(MuxStatus.InvalidArgument, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Contains("Before.Order, field 4 (Quantity)", error.Message, StringComparison.Ordinal);
        Assert.Single(_before.Placed);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_request_with_a_field_of_another_type_fails_its_call_alone(TransportKind kind)
    {
        var old = Old(kind);
        var error = await old.Quote(new Before.Line { Price = 5 }).AsTask().FailsAsync(MuxStatus.InvalidArgument, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Contains("After.Line, field 2 (Price)", error.Message, StringComparison.Ordinal);
        Assert.Contains(Differ + "requests have the shape ", error.Message, StringComparison.Ordinal);
        Assert.Equal("bolt", (await old.Quote(new Before.Line { Item = "bolt" })).Item);

        var after = New(kind);
        error = await after.Quote(new Line { Price = "5" }).AsTask().FailsAsync(MuxStatus.InvalidArgument, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Contains("Before.Line, field 2 (Price)", error.Message, StringComparison.Ordinal);
        Assert.Contains(Differ + "requests have the shape ", error.Message, StringComparison.Ordinal);
        Assert.Equal("bolt", (await after.Quote(new Line { Item = "bolt" })).Item);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_reply_with_a_field_of_another_type_fails_its_call_alone(TransportKind kind)
    {
        var old = Old(kind);
        var error = await old.QuoteOf(5).AsTask().FailsAsync(MuxStatus.Internal, MuxExecution.Executed, MuxCallPhase.Decode);
        Assert.Contains("Before.Line, field 2 (Price)", error.Message, StringComparison.Ordinal);
        Assert.Contains(Differ + "replies have the shape ", error.Message, StringComparison.Ordinal);
        Assert.Equal(4, await old.Count("bolt"));

        var after = New(kind);
        error = await after.QuoteOf(5).AsTask().FailsAsync(MuxStatus.Internal, MuxExecution.Executed, MuxCallPhase.Decode);
        Assert.Contains("After.Line, field 2 (Price)", error.Message, StringComparison.Ordinal);
        Assert.Contains(Differ + "replies have the shape ", error.Message, StringComparison.Ordinal);
        Assert.Equal(0, (await after.QuoteOf(0))!.Price?.Length ?? 0);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task An_item_with_a_field_of_another_type_ends_its_stream_alone(TransportKind kind)
    {
        var old = Old(kind);
        var error = await Assert.ThrowsAsync<MuxException>(() => old.Quotes(Twice(new Before.Line { Price = 5 })).ToListAsync(TestContext.Current.CancellationToken).AsTask());
        Assert.Equal(MuxStatus.InvalidArgument, error.Status);
        Assert.Contains("After.Line, field 2 (Price)", error.Message, StringComparison.Ordinal);
        Assert.Contains(Differ + "requests have the shape ", error.Message, StringComparison.Ordinal);

        var sent = await Assert.ThrowsAsync<MuxException>(() => old.Prices(5).ToListAsync(TestContext.Current.CancellationToken).AsTask());
        Assert.Equal((MuxStatus.Internal, MuxCallPhase.Decode), (sent.Status, sent.Phase));
        Assert.Contains(Differ + "replies have the shape ", sent.Message, StringComparison.Ordinal);
        Assert.Equal(4, await old.Count("bolt"));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_large_request_and_reply_of_another_contract_say_so_too(TransportKind kind)
    {
        var item = new string('x', 100_000);
        var old = Old(kind);
        var error = await old.Quote(new Before.Line { Item = item, Price = 5 }).AsTask().FailsAsync(MuxStatus.InvalidArgument, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Contains(Differ + "requests have the shape ", error.Message, StringComparison.Ordinal);
        error = await old.QuoteOf(100_000).AsTask().FailsAsync(MuxStatus.Internal, MuxExecution.Executed, MuxCallPhase.Decode);
        Assert.Contains(Differ + "replies have the shape ", error.Message, StringComparison.Ordinal);
    }

    private static async Task AssertUnimplementedAsync(Task call, string says)
    {
        var error = await call.FailsAsync(MuxStatus.Unimplemented, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Contains(says, error.Message, StringComparison.Ordinal);
    }

    private static IAsyncEnumerable<T> Twice<T>(T item) => new[] { item, item }.ToAsyncEnumerable();

    /// <summary>A client of before, whose server is of after.</summary>
    private Before.IOrders Old(TransportKind kind) => Connect(kind, server => server.AddService<IOrders>(_after)).CreateProxy<Before.IOrders>();

    /// <summary>A client of after, whose server is of before.</summary>
    private IOrders New(TransportKind kind) => Connect(kind, server => server.AddService<Before.IOrders>(_before)).CreateProxy<IOrders>();

    private MuxChannel Connect(TransportKind kind, Action<MuxServer> addServices)
    {
        var scene = Begin(kind);
        return scene.CreateChannel(scene.StartServer(addServices));
    }
}
