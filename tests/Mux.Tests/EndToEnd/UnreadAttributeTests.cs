using Microsoft.Extensions.DependencyInjection;
using Mux.Tests.Contracts;

namespace Mux.Tests.EndToEnd;

#pragma warning disable MUX0056 // what it warns of is what is tested

/// <summary>Implementations that say who may call them, which only contracts can.</summary>
public sealed class UnreadAttributeTests
{
    [Fact]
    public void An_implementation_with_MuxAuthorize_is_refused_and_told_where_it_belongs()
    {
        var server = new MuxServer(string.Empty);
        var text = Assert.Throws<InvalidOperationException>(() => server.AddService<IDesk>(new Locked())).Message;
        Assert.Contains("[MuxAuthorize] on Mux.Tests.EndToEnd.UnreadAttributeTests+Locked.Close has no effect", text, StringComparison.Ordinal);
        Assert.Contains("on Mux.Tests.Contracts.IDesk or its methods", text, StringComparison.Ordinal);
    }

    [Fact]
    public void So_is_one_whose_base_class_has_it_and_one_with_MuxAllowAnonymous()
    {
        Assert.Throws<InvalidOperationException>(() => new MuxServer(string.Empty).AddService<IDesk>(new LockedBelow()));
        Assert.Contains("[MuxAllowAnonymous]", Assert.Throws<InvalidOperationException>(() => new MuxServer(string.Empty).AddService<IDesk>(new Opened())).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_scoped_implementation_is_refused_before_there_is_an_instance()
    {
        var services = new ServiceCollection();
        services.AddLogging().AddMuxServer(string.Empty).AddScopedService<IDesk, Locked>();
        using var provider = services.BuildServiceProvider();
        Assert.Contains("Locked.Close", Assert.Throws<InvalidOperationException>(() => provider.GetRequiredService<MuxServer>()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Contracts_may_say_it_and_implementations_that_say_nothing_are_taken() => new MuxServer(string.Empty).AddService<IGuarded>(new Guarded()).AddService<IDesk>(new Desk()).Dispose();

    private class Locked : Desk
    {
        [MuxAuthorize("adult")]
        public void Close()
        {
        }
    }

    private sealed class LockedBelow : Locked;

    private sealed class Opened : Desk
    {
        [MuxAllowAnonymous]
        public void Open()
        {
        }
    }
}
