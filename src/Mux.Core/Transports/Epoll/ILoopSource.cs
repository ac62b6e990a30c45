namespace Mux.Transports.Epoll;

/// <summary>Something with a handle that an <see cref="EventLoop"/> watches. Its members are called by the leader of the loop.</summary>
internal interface ILoopSource
{
    /// <summary>What the loop knows it by while it is watched; see <see cref="Registrations"/>. Set by the loop.</summary>
    ulong Registration { get; set; }

    /// <summary>Something happened to the handle.</summary>
    /// <param name="flags">Bits of <see cref="EpollFlags"/>.</param>
    /// <returns>False when another thread leads the loop by now.</returns>
    bool OnEvents(uint flags);

    /// <summary>Something that was posted has its turn.</summary>
    void OnCommand(LoopCommand command);

    /// <summary>Something in here threw, which is a fault of Mux: the source ends, the loop goes on. Does not throw.</summary>
    void OnFault(Exception error);
}
