using Microsoft.Extensions.DependencyInjection;
using Mux;

namespace Bank;

public static class PolicyRegistrations
{
    public static void AddVault(this IServiceCollection services)
    {
        services.AddMuxServer().AddService<IVault, Vault>().AddPolicy("trusted", user => user.Identity?.Name == "manager1");
        services.AddMuxClient().AddProxy<IVault>(); // of another program
    }
}

[MuxService("bank.Vault"), MuxAuthorize("trusted", Roles = "manager")]
public interface IVault
{
    ValueTask<string> Empty(int number, CancellationToken cancellationToken = default);
}

internal sealed class Vault : IVault
{
    public ValueTask<string> Empty(int number, CancellationToken cancellationToken) => new($"vault {number} is empty");
}
