using Mux.Tests.Contracts;

namespace Mux.Tests.Faults;

/// <summary>What a client believes <see cref="IMixed"/> to be: there is a method more.</summary>
[MuxService("t.Mixed")]
public interface INewerMixed
{
    ValueTask<Answer> Missing(Question question);
}
