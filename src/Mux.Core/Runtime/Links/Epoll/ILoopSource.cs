namespace Mux.Runtime;

/// <summary>An owner of a handle that an <see cref="EventLoop"/> watches. The leader of the loop calls its members.</summary>
internal interface ILoopSource
{
    /// <summary>The loop's number for the source while it is watched; see <see cref="Registrations"/>. Set by the loop.</summary>
    ulong Registration { get; set; }

    /// <summary>Handles events of the handle.</summary>
    /// <param name="flags">Bits of <see cref="EpollFlags"/>.</param>
    /// <returns>False if another thread leads the loop by now.</returns>
    bool OnEvents(uint flags);

    /// <summary>Runs a posted command.</summary>
    void OnCommand(LoopCommand command);

    /// <summary>Ends the source after one of its members threw, which is a bug in Mux; the loop continues. Does not throw.</summary>
    void OnFault(Exception error);
}
