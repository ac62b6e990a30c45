using Mux;

namespace Identity;

public sealed class Vault : IVault
{
    public ValueTask<string> Open(int number, MuxCallOptions? options = null) => new($"vault {number} is open for {options?.User?.Identity?.Name}");

    public ValueTask<string> Empty(int number) => new($"vault {number} is empty");

    public ValueTask<string> OpeningHours() => new("nine to five");
}
