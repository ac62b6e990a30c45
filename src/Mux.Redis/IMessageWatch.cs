namespace Mux.Redis;

/// <summary>Is told of messages that come. Any thread.</summary>
internal interface IMessageWatch
{
    void OnMessage();

    /// <summary>Something has come that no server of Mux has written.</summary>
    void OnForeign(string channel);
}
