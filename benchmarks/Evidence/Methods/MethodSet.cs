namespace Evidence.Methods;

/// <summary>The contracts that are compiled for the measurement, as the two processes use them.</summary>
public abstract class MethodSet
{
    /// <summary>Adds an implementation of every service.</summary>
    public abstract void AddServices(MuxServer server);

    /// <summary>Creates the proxies of all services, and a call for each of their methods.</summary>
    public abstract MethodCall[] CreateCalls(MuxChannel channel);
}
