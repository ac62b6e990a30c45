namespace Mux.Tests.Contracts;

/// <summary>All that <see cref="IArchive"/> has, and more, under another name.</summary>
[MuxService("test.Vault")]
public interface IVault : IArchive
{
    ValueTask Add(Question question);
}
