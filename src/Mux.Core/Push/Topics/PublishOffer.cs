namespace Mux.Push;

/// <summary>An item that was published here, as the backplane gets it.</summary>
/// <param name="Item">The item.</param>
/// <param name="Message">The message for other servers.</param>
/// <param name="Count">Its number at this server.</param>
/// <param name="OnSettled">Told what becomes of it at the backplane; null if its publisher does not wait.</param>
internal readonly record struct PublishOffer<T>(TopicItem<T> Item, byte[] Message, long Count, Action<MuxPublishResult>? OnSettled);
