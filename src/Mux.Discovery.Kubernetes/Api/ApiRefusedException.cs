using Mux.Discovery.Kubernetes.Slices;

namespace Mux.Discovery.Kubernetes.Api;

/// <summary>The API server has answered that it does not do what was asked; the message says why, and what to do.</summary>
internal sealed class ApiRefusedException : IOException
{
    private const int MaxMessageLength = 500;

    private ApiRefusedException(string message)
        : base(message)
    {
    }

    /// <summary>Explains a refusal to the operator of the client.</summary>
    /// <param name="server">The API server.</param>
    /// <param name="service">The service, with its namespace.</param>
    /// <param name="space">The namespace.</param>
    /// <param name="status">What the API server says. Its message names the account, and contains no credentials.</param>
    public static ApiRefusedException Create(string server, string service, string space, ApiStatus status)
    {
        var reason = status.Message is not { Length: > 0 } message ? "it gives no reason"
            : message.Length > MaxMessageLength ? message[..MaxMessageLength] : message;
        return new ApiRefusedException(status.Code switch
        {
            401 => $"{server} does not accept the credentials (401 Unauthorized): {reason}. Expected a token or a client certificate that is still valid.",
            403 => $"{server} does not let this account watch the EndpointSlices of {service} (403 Forbidden): {reason}. Add a Role to the namespace "
                + $"'{space}' with apiGroups [discovery.k8s.io], resources [endpointslices] and verbs [list, watch], and a RoleBinding of it to the account.",
            404 => $"{server} has no EndpointSlices (404 Not Found): {reason}. Expected Kubernetes 1.21 or later, with the API discovery.k8s.io/v1.",
            _ => $"{server} answered {status.Code} ({status.Reason}) when asked for the EndpointSlices of {service}: {reason}.",
        });
    }
}
