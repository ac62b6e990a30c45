using Mux.Contracts;
using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Calls;

/// <summary>Contracts that inherit interfaces, and members with a body.</summary>
public sealed class InheritanceTests
{
    private readonly AdminImplementation _implementation = new();
    private readonly IAdmin _proxy;

    public InheritanceTests() => _proxy = ServiceContract<IAdmin>.Get().CreateProxy(new LoopbackInvoker(_implementation));

    [Fact]
    public void Inherited_methods_belong_to_the_contract_behind_its_own_once_each()
    {
        Assert.Equal(["Clear", "Side", "RightSide", "Read", "Describe", "Find", "Put", "List"], Methods<IAdmin>("test.Admin/").Keys.ToList());
        Assert.Equal(["Read", "ReadNamed", "Describe"], Methods<IReader>("test.Reader/").Keys.ToList());
    }

    [Fact]
    public void What_a_service_chooses_holds_under_its_own_name()
    {
        Assert.True(Methods<IReader>("test.Reader/")["Read"].Choices.Idempotent);
        Assert.False(Methods<IAdmin>("test.Admin/")["Read"].Choices.Idempotent);
    }

    [Fact]
    public async Task Inherited_methods_reach_the_implementation_of_the_interface_that_declares_them()
    {
        Assert.Equal("7", await _proxy.Read(7));
        Assert.Equal("left", await ((ILeft)_proxy).Side());
        Assert.Equal("right", await ((IRight)_proxy).Side());
        Assert.Equal(5, await _proxy.Clear(5));
    }

    [Fact]
    public async Task A_contract_that_is_inherited_can_be_called_alone()
    {
        var reader = ServiceContract<IReader>.Get().CreateProxy(new LoopbackInvoker(_implementation));
        Assert.Equal("7", await reader.Read(7));
    }

    [Fact]
    public async Task The_type_arguments_of_an_inherited_interface_are_what_is_sent()
    {
        Assert.Equal("oak", (await _proxy.Find("oak", TestContext.Current.CancellationToken))?.Name);
        Assert.Equal(2, await _proxy.Put("key", [new Leaf("a", 1), new Leaf("b", 1)]));
        var listed = await _proxy.List(new[] { "a", "b" }.ToAsyncEnumerable()).ToListAsync(TestContext.Current.CancellationToken);
        Assert.Equal(["a", "b"], listed.Select(static leaf => leaf.Name));
    }

    [Fact]
    public async Task A_method_with_a_body_runs_where_it_is_called()
    {
        Assert.Equal(">7+7", await _proxy.ReadTwice(7));
        Assert.Equal(["Read", "Read"], _implementation.Log);
    }

    [Fact]
    public async Task A_body_that_another_interface_gives_runs_where_it_is_called() => Assert.Equal("3", await ((IReader)_proxy).Read("oak"));

    [Fact]
    public async Task A_method_with_a_body_and_the_attribute_is_called_and_its_body_runs_at_the_server()
    {
        Assert.Equal("nothing to say", await _proxy.Describe());
    }

    [Fact]
    public async Task Errors_of_the_contract_and_of_the_interface_that_declares_a_method_come_with_its_failures()
    {
        var inherited = await Assert.ThrowsAsync<MuxException>(async () => await _proxy.Read(-1));
        var own = await Assert.ThrowsAsync<MuxException>(async () => await _proxy.Clear(-1));
        Assert.Equal("lost", Assert.IsType<Leaf>(inherited.Detail).Name);
        Assert.IsType<Link>(own.Detail);
    }

    private static Dictionary<string, MethodDescriptor> Methods<TService>(string service)
        where TService : class
    {
        var collector = new MethodCollector();
        ServiceContract<TService>.Get().Describe(collector);
        return collector.Methods.ToDictionary(method => method.Key[service.Length..], static method => method.Value);
    }
}
